import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OAuthServer } from './oauth-server.ts'

/** Starts a remote MCP server that requires a sign-in. Its only tool returns the caller. */
export async function startGuardedMcpServer(oauth: Pick<OAuthServer, 'url' | 'personOf'>) {
  const people: string[] = []
  let resource: string | null = null
  let failure: string | null = null
  const server = createServer(async (request, response) => {
    const json = (status: number, body: unknown, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    if (request.url === '/.well-known/oauth-protected-resource/mcp')
      return json(200, {
        resource: resource ?? `${url}/mcp`,
        authorization_servers: [oauth.url],
        scopes_supported: ['mcp'],
      })
    if (request.url !== '/mcp') return json(404, {})
    const token = (request.headers.authorization ?? '').replace('Bearer ', '')
    const person = token === '' ? null : await oauth.personOf(token)
    if (person === null)
      return json(
        401,
        {},
        { 'www-authenticate': `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"` },
      )
    if (request.method !== 'POST') return json(405, {})
    const message = JSON.parse(await bodyOf(request))
    if (message.id === undefined) return response.writeHead(202).end()
    if (message.method === 'tools/call') people.push(person)
    const result = resultOf(message.method, person, failure)
    const error = { code: -32_601, message: 'There is no such method.' }
    return json(200, { jsonrpc: '2.0', id: message.id, ...(result ? { result } : { error }) })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${url}/mcp`,
    origin: url,
    /** Claims that its tokens are for another server. */
    pretend: (other: string | null) => {
      resource = other
    },
    /** Lets its tool fail with this text. */
    fail: (text: string | null) => {
      failure = text
    },
    /** The callers of its tool. */
    people,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function resultOf(method: string, person: string, failure: string | null): unknown {
  if (method === 'initialize')
    return {
      ...{ protocolVersion: '2025-11-25', capabilities: { tools: {} } },
      serverInfo: { name: 'guarded', version: '1' },
    }
  const whoami = { name: 'whoami', description: 'Says who asks.', inputSchema: { type: 'object' } }
  if (method === 'tools/list') return { tools: [{ ...whoami, annotations: { readOnlyHint: true } }] }
  if (method === 'tools/call' && failure !== null)
    return { isError: true, content: [{ type: 'text', text: failure }] }
  if (method === 'tools/call') return { content: [{ type: 'text', text: `It is ${person}.` }] }
  return null
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}
