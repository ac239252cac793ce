import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An MCP server over HTTP. The last part of its address selects its tool lists and results. */
export type HostileMcpServer = { url: (kind: string) => string; close: () => Promise<void> }

type Asked = { id?: unknown; method?: string; params?: { name?: string; protocolVersion?: string } }

const tool = { name: 't', inputSchema: { type: 'object' } }
/** Tool lists, as JSON. */
const lists: Record<string, () => string> = {
  deep: () => `{"name":"t","inputSchema":{"type":"object","x":${'['.repeat(1e6)}${']'.repeat(1e6)}}}`,
  many: () => Array(300_000).fill('{"name":"t","inputSchema":{"type":"object","a":[[],[],[]]}}').join(),
  huge: () =>
    Array(8_000)
      .fill(JSON.stringify({ ...tool, description: 'x'.repeat(7_000) }))
      .join(),
  wrong: () => Array(9_000).fill('{"name":1}').join(),
  schema: () =>
    JSON.stringify({
      ...tool,
      outputSchema: { type: 'object', properties: { q: { type: 'string', pattern: '^(a+)+$' } } },
    }),
}
/** Results of tool calls, as JSON. */
const results: Record<string, () => string> = {
  deep: () => `{"content":[],"structuredContent":{"a":${'['.repeat(1e6)}${']'.repeat(1e6)}}}`,
  many: () => `{"content":[${Array(800_000).fill('{"type":"text","text":"x"}').join()}]}`,
  huge: () => `{"content":[{"type":"text","text":"${'x'.repeat(60e6)}"}]}`,
  wrong: () => `{"content":[${Array(9_000).fill('{"type":"z"}').join()}]}`,
  long: () => `{"content":[{"type":"text","text":"${'x'.repeat(2e6)}"}]}`,
  schema: () => JSON.stringify({ content: [], structuredContent: { q: `${'a'.repeat(40)}!` } }),
}

export async function startHostileMcpServer(): Promise<HostileMcpServer> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const [, kind = '', how = 'json'] = new URL(request.url ?? '/', 'http://x').pathname.split('/')
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as Asked
    if (id === undefined) return void response.writeHead(202).end()
    const answer = (result: string) => {
      const message = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
      const isEvents = how === 'events'
      response
        .writeHead(200, { 'content-type': isEvents ? 'text/event-stream' : 'application/json' })
        .end(isEvents ? `: "\ndata: ${message}\n\n` : message)
    }
    if (method === 'initialize')
      answer(
        JSON.stringify({
          protocolVersion: params?.protocolVersion ?? '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'hostile', version: '1' },
        }),
      )
    else if (method === 'tools/list') answer(`{"tools":[${lists[kind]?.() ?? JSON.stringify(tool)}]}`)
    else if (method === 'tools/call') {
      const own = { content: [{ type: 'text', text: JSON.stringify(request.headers) }] }
      answer((results[kind.replace(/^call-/, '')] ?? (() => JSON.stringify(own)))())
    } else
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: (kind) => `${origin}/${kind}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
