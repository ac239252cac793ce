import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message an MCP server received, with the session it came in. */
export type Received = {
  id?: number | string
  method: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came
  params: any
  session: string | undefined
  headers: IncomingMessage['headers']
}

type Script = {
  tools?: unknown[]
  /** The result of a call; the default names the tool. */
  result?: (received: Received) => unknown
  /** Answers a message itself and returns true, or returns false to leave the answer to the server. */
  answer?: (received: Received, response: ServerResponse) => boolean
  /** Issues session ids and refuses unknown ones with 404. */
  hasSessions?: boolean
  /** Fields of the answer to `initialize`. */
  initialized?: Record<string, unknown>
}

/** A scripted MCP server over streamable HTTP on this machine. */
export type WebMcpServer = {
  url: string
  received: Received[]
  /** Names of the called tools, in order. Refused calls are not among them. */
  called: string[]
  /** Forgets all sessions, as a restart does. */
  forget: () => void
  /** Ends all connections and stops listening. */
  close: () => Promise<void>
  /** Listens on the same port after `close`. */
  comeBack: () => Promise<void>
}

export async function startWebMcpServer(script: Script = {}): Promise<WebMcpServer> {
  const received: Received[] = []
  const called: string[] = []
  const sessions = new Set<string>()
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const message = JSON.parse(await bodyOf(request))
    const session = request.headers['mcp-session-id'] as string | undefined
    const one: Received = { ...message, session, headers: request.headers }
    received.push(one)
    if (script.answer?.(one, response)) return
    if (script.hasSessions && one.method !== 'initialize' && !sessions.has(session ?? ''))
      return answerJson(response, refusal(one, -32_001, 'Session not found'), 404)
    if (one.id === undefined) return void response.writeHead(202).end()
    if (one.method === 'initialize' && script.hasSessions) {
      const id = crypto.randomUUID()
      sessions.add(id)
      response.setHeader('mcp-session-id', id)
    }
    if (one.method === 'tools/call') called.push(one.params.name)
    const result = resultOf(script, one)
    answerJson(response, result ? resultFor(one, result) : refusal(one, -32_601, 'Method not found'))
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    ...{ url: `http://127.0.0.1:${port}/mcp`, received, called },
    forget: () => sessions.clear(),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    comeBack: () => listen(port),
  }
}

export const resultFor = ({ id }: Pick<Received, 'id'>, result: unknown) => ({ jsonrpc: '2.0', id, result })

export const refusal = ({ id = 0 }: Pick<Received, 'id'>, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export const aTool = (name: string, more: object = {}) => ({
  ...{ name, description: `Does ${name}.`, inputSchema: { type: 'object', properties: {} }, ...more },
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}

function resultOf({ tools = [aTool('work')], result, initialized }: Script, one: Received): unknown {
  if (one.method === 'initialize')
    return {
      ...{ protocolVersion: '2025-06-18', capabilities: { tools: {} } },
      ...{ serverInfo: { name: 'scripted', version: '1' }, ...initialized },
    }
  if (one.method === 'tools/list') return { tools }
  if (one.method === 'ping') return {}
  if (one.method !== 'tools/call') return null
  return result?.(one) ?? { content: [{ type: 'text', text: `It did ${one.params.name}.` }] }
}
