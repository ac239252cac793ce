import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The place where a token endpoint expects the client's secret. */
export type Taken = 'form' | 'header'
type Picky = {
  takes: Taken
  /** The announced methods; null announces none. */
  offers: string[] | null
  /** Answer to an unknown client. */
  refusal: { status: number; body: object }
  /** Address of a client metadata document, the only client id it accepts; it registers no clients. */
  readsDocument?: string
}

/** Starts a scripted OAuth server that accepts a client's secret in one place only, whatever it announces. */
export async function startPickyOAuthServer(picky: Picky) {
  const asked: string[] = []
  const codes = new Set<string>()
  const tokens = new Set<string>()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://x')
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname.startsWith('/.well-known/')) return json(200, metadata(origin, picky))
    if (url.pathname === '/register') {
      const wish = JSON.parse(await bodyOf(request))
      return json(201, { ...wish, client_id: 'c-1', client_secret: 's/1+=', ...registered(picky) })
    }
    if (url.pathname === '/authorize') {
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      const code = crypto.randomUUID()
      codes.add(code)
      back.searchParams.set('code', code)
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      return response.writeHead(302, { location: back.href }).end()
    }
    if (url.pathname !== '/token') return json(404, {})
    const form = new URLSearchParams(await bodyOf(request))
    const taken = picky.readsDocument
      ? form.get('client_id') === picky.readsDocument && !form.has('client_secret')
      : clientIn(picky.takes, request, form)
    asked.push(`${form.get('grant_type')} ${taken ? 'taken' : 'refused'}`)
    if (!taken) return json(picky.refusal.status, picky.refusal.body)
    if (form.has('code') && !codes.delete(form.get('code') ?? ''))
      return json(400, { error: 'invalid_grant' })
    const access_token = crypto.randomUUID()
    tokens.add(access_token)
    return json(200, { access_token, token_type: 'Bearer', expires_in: 3_600, refresh_token: 'r-1' })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: origin,
    /** Received grants, and whether the client was recognized. */
    asked,
    personOf: async (token: string) => (tokens.has(token) ? 'ada' : null),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const metadata = (origin: string, { offers, readsDocument }: Picky) => ({
  ...{ issuer: origin, authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` },
  ...{ registration_endpoint: `${origin}/register`, response_types_supported: ['code'] },
  ...{ code_challenge_methods_supported: ['S256'], scopes_supported: ['mcp'] },
  ...(readsDocument && { client_id_metadata_document_supported: true, registration_endpoint: undefined }),
  ...(offers && { token_endpoint_auth_methods_supported: offers }),
})

/** Registers a client for the first announced method, even if it expects another. */
const registered = ({ offers }: Picky) => (offers ? { token_endpoint_auth_method: offers[0] } : {})

function clientIn(takes: Taken, { headers }: IncomingMessage, form: URLSearchParams): boolean {
  if (takes === 'form') return form.get('client_id') === 'c-1' && form.get('client_secret') === 's/1+='
  const pair = Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64').toString()
  return pair.split(':').map(decodeURIComponent).join(' ') === 'c-1 s/1+='
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}
