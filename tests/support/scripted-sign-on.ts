import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Json = Record<string, unknown>
type Asked = { path: string; parameters: URLSearchParams; headers: IncomingMessage['headers'] }

/** The server's next answers, with overrides set by a test. */
type Script = {
  /** Merged into the claims of the id token. */
  claims: Json
  /** Merged into the header of the id token, such as its `alg`. */
  head: Json
  /** Signs with a key other than the published one. */
  key: KeyObject | null
  /** Merged into the callback parameters. */
  answer: Record<string, string>
  /** Answers of additional addresses, by path. */
  pages: Record<string, unknown>
  /** Merged into what the server says of itself. */
  metadata: Json
  /** Error that answers every request for a token. */
  refuses: Record<string, string> | null
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const published = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }

/** Starts a local OAuth 2 and OpenID Connect server that checks codes and PKCE, and answers as set by the test. */
export async function startScriptedSignOn() {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const script: Script = {
    claims: {},
    head: {},
    key: null,
    answer: {},
    pages: {},
    metadata: {},
    refuses: null,
  }
  const asked: Asked[] = []
  const codes = new Map<string, URLSearchParams>()

  const idToken = (visit: URLSearchParams): string => {
    const now = Math.floor(Date.now() / 1000)
    const head = { alg: 'RS256', kid: 'k1', ...script.head }
    const claims = {
      ...{ iss: url, sub: 'p-1', aud: visit.get('client_id'), iat: now, exp: now + 60 },
      ...{ nonce: visit.get('nonce'), ...script.claims },
    }
    const said = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    if (head.alg === 'none') return `${said.join('.')}.`
    const signature = sign('sha256', Buffer.from(said.join('.')), script.key ?? privateKey)
    return `${said.join('.')}.${signature.toString('base64url')}`
  }

  const authorize = (visit: URLSearchParams, response: ServerResponse) => {
    const code = `code-${codes.size + 1}`
    codes.set(code, visit)
    const answer = { code, state: visit.get('state') ?? '', ...script.answer }
    if (visit.get('response_mode') === 'form_post') return sendJson(response, answer)
    const back = new URL(visit.get('redirect_uri') ?? '')
    back.search = String(new URLSearchParams(answer))
    response.writeHead(302, { location: back.href }).end()
  }

  const token = (form: URLSearchParams, response: ServerResponse) => {
    if (script.refuses) return sendJson(response, script.refuses, 401)
    const visit = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight =
      visit?.get('code_challenge') === challenge && visit.get('redirect_uri') === form.get('redirect_uri')
    if (!visit || !isRight) return sendJson(response, { error: 'invalid_grant' }, 400)
    const id = visit.get('scope')?.includes('openid') ? { id_token: idToken(visit) } : {}
    sendJson(response, { access_token: 'opaque', token_type: 'bearer', ...id })
  }

  server.on('request', async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    const parameters = request.method === 'POST' ? new URLSearchParams(await read(request)) : searchParams
    asked.push({ path: pathname, parameters, headers: request.headers })
    if (pathname === '/.well-known/openid-configuration')
      return sendJson(response, { ...describe(url), ...script.metadata })
    if (pathname === '/jwks') return sendJson(response, { keys: [published] })
    if (/\/(authorize|dialog\/oauth)$/.test(pathname)) return authorize(parameters, response)
    if (/\/(token|access_token)$/.test(pathname)) return token(parameters, response)
    if (pathname in script.pages && request.headers.authorization === 'Bearer opaque')
      return sendJson(response, script.pages[pathname])
    sendJson(response, { error: 'not found' }, 404)
  })
  return {
    url,
    asked,
    says: (next: Partial<Script>) =>
      Object.assign(
        script,
        { claims: {}, head: {}, key: null, answer: {}, metadata: {}, refuses: null },
        next,
      ),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function describe(issuer: string) {
  return {
    ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
    ...{ jwks_uri: `${issuer}/jwks`, response_types_supported: ['code'] },
    ...{ subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['RS256'] },
  }
}

function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
