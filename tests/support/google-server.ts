import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type GoogleServer = {
  url: string
  /** Created sheets, as received. */
  sheets: { token: string; title: string; rows: Record<string, unknown>[][] }[]
  /** Received consent requests. */
  asked: URLSearchParams[]
  /** Changes the server's behavior. */
  does: (how: 'well' | 'deny' | 'forget' | 'refuse sheets' | 'name no sheet') => void
  close: () => Promise<void>
}

/** Starts a local fake of Google's sign-on and Sheets API, as far as creating a sheet needs them. */
export async function startGoogleServer(): Promise<GoogleServer> {
  const sheets: GoogleServer['sheets'] = []
  const asked: GoogleServer['asked'] = []
  const challenges = new Map<string, string>()
  let how = 'well'
  let count = 0
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    if (pathname === '/.well-known/openid-configuration') return json(response, 200, description(url))
    if (pathname === '/authorize') {
      asked.push(searchParams)
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('state', searchParams.get('state') ?? '')
      const code = `code-${++count}`
      challenges.set(code, searchParams.get('code_challenge') ?? '')
      if (how === 'deny') back.searchParams.set('error', 'access_denied')
      else back.searchParams.set('code', code)
      return void response.writeHead(302, { location: back.href }).end()
    }
    const body = await bodyOf(request)
    if (pathname === '/token') {
      const form = new URLSearchParams(body)
      if (form.get('grant_type') === 'refresh_token' && how === 'forget')
        return json(response, 400, { error: 'invalid_grant' })
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (
        form.get('grant_type') === 'authorization_code' &&
        challenges.get(form.get('code') ?? '') !== challenge
      )
        return json(response, 400, { error: 'invalid_grant' })
      const token = { access_token: 'entered', token_type: 'Bearer', expires_in: 3600 }
      return json(response, 200, { ...token, refresh_token: 'lasting' })
    }
    if (pathname !== '/v4/spreadsheets') return void response.writeHead(404).end()
    if (how === 'refuse sheets') return json(response, 403, { error: { message: 'The Sheets API is off.' } })
    const { properties, sheets: made } = JSON.parse(body)
    const rows = made[0].data[0].rowData.map(({ values }: { values: { userEnteredValue: object }[] }) =>
      values.map(({ userEnteredValue }) => userEnteredValue),
    )
    sheets.push({ token: request.headers.authorization ?? '', title: properties.title, rows })
    return json(
      response,
      200,
      how === 'name no sheet' ? {} : { spreadsheetUrl: `${url}/sheet/${sheets.length}` },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ url, sheets, asked },
    does: (next) => {
      how = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const description = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  code_challenge_methods_supported: ['S256'],
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
