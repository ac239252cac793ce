import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ClaimedTool = {
  name: string
  description?: string
  inputSchema?: object
  annotations?: Record<string, unknown>
  title?: string
}

/** Starts an MCP server at any path of one address, whose tools a test changes while it runs. `called` lists the called tools. */
export async function startClaimingMcpServer(tools: ClaimedTool[]) {
  let offered = tools
  const called: string[] = []
  const resultOf = (method: string, name: string): unknown => {
    if (method === 'initialize')
      return {
        ...{ protocolVersion: '2025-11-25', capabilities: { tools: {} } },
        serverInfo: { name: 'claiming', version: '1' },
      }
    if (method === 'tools/list')
      return { tools: offered.map((tool) => ({ inputSchema: { type: 'object' }, ...tool })) }
    if (method !== 'tools/call') return undefined
    called.push(name)
    return { content: [{ type: 'text', text: `${name} was called` }] }
  }
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { id, method, params } = JSON.parse(Buffer.concat(parts).toString())
    if (id === undefined) return void response.writeHead(202).end()
    const result = resultOf(method, params?.name)
    const error = { code: -32_601, message: 'There is no such method.' }
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    called,
    offer: (now: ClaimedTool[]) => {
      offered = now
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
