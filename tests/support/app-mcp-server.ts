import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

const URI = 'ui://sites/map'
const tool = (name: string, meta: object = {}) => ({
  ...{ name, description: `Does ${name}.`, inputSchema: { type: 'object', properties: {} } },
  ...{ annotations: { readOnlyHint: true }, ...meta },
})
const said = (text: string, more: object = {}) => ({ content: [{ type: 'text', text }], ...more })

/**
 * Starts a remote MCP server whose tool `map` shows its result in its own page (MCP Apps). The other tool is `count`. It
 * also has a prompt and a resource.
 */
export async function startAppMcpServer(page: string) {
  const called: string[] = []
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    const { id, method, params } = JSON.parse(await bodyOf(request))
    if (id === undefined) return response.writeHead(202).end()
    if (method === 'tools/call') called.push(params.name)
    const result = resultOf(method, params, page)
    const error = { code: -32_601, message: 'There is no such method.' }
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }))
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    url: `${origin}/mcp`,
    /** The called tools in order. */
    called,
    close,
    /** Restarts on the same port after it was closed. */
    comeBack: () => listen(port),
  }
}

function resultOf(method: string, params: { name?: string }, page: string): unknown {
  switch (method) {
    case 'initialize':
      return {
        ...{ protocolVersion: '2025-11-25', capabilities: { tools: {}, resources: {}, prompts: {} } },
        serverInfo: { name: 'sites', version: '1' },
      }
    case 'tools/list':
      return { tools: [tool('map', { _meta: { ui: { resourceUri: URI } } }), tool('count')] }
    case 'resources/list':
      return { resources: [{ uri: 'sites://lyon', name: 'Site of Lyon' }] }
    case 'prompts/list':
      return { prompts: [{ name: 'review', description: 'Reviews a site.' }] }
    case 'resources/templates/list':
      return { resourceTemplates: [] }
    case 'resources/read':
      return { contents: [{ uri: URI, mimeType: 'text/html;profile=mcp-app', text: page }] }
    case 'tools/call':
      return params.name === 'map' ? said('Two sites.', { structuredContent: { sites: 2 } }) : said('17')
    default:
      return null
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}
