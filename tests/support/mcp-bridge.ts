import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'

type Message = { id?: number | string; method?: string }
/** A client of the bridge: its program, the answers it waits for, and its event stream. */
type Session = {
  child: ChildProcess
  waiting: Map<number | string, ServerResponse>
  open: ServerResponse | null
}

export type McpBridge = {
  url: string
  /** Received methods, in order. */
  heard: string[]
  close: () => Promise<void>
}

/** Exposes a stdio MCP program over streamable HTTP (2025-11-25). Each client has its own program. */
export async function startMcpBridge(args: string[], env: Record<string, string> = {}): Promise<McpBridge> {
  const sessions = new Map<string, Session>()
  const heard: string[] = []
  const server = createServer(async (request, response) => {
    const id = String(request.headers['mcp-session-id'] ?? '')
    const known = sessions.get(id)
    if (request.method === 'GET') return known ? listen(known, response) : response.writeHead(404).end()
    if (request.method === 'DELETE') {
      known?.child.kill('SIGKILL')
      sessions.delete(id)
      return response.writeHead(200).end()
    }
    const message = JSON.parse(await bodyOf(request)) as Message
    if (message.method) heard.push(message.method)
    // The newer protocol begins without a session, which this server does not support.
    if (!known && message.method !== 'initialize') return response.writeHead(message.id ? 404 : 202).end()
    const session = known ?? startSession(args, env)
    const name = known ? id : crypto.randomUUID()
    sessions.set(name, session)
    session.child.stdin?.write(`${JSON.stringify(message)}\n`)
    if (message.id === undefined || !message.method) return response.writeHead(202).end()
    response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': name })
    session.waiting.set(message.id, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    heard,
    close: async () => {
      for (const { child } of sessions.values()) child.kill('SIGKILL')
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function startSession(args: string[], env: Record<string, string>): Session {
  const child = spawn(process.execPath, args, {
    ...{ env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] },
  })
  const session: Session = { child, waiting: new Map(), open: null }
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Message
    const asker = message.method || message.id === undefined ? undefined : session.waiting.get(message.id)
    const target = asker ?? [...session.waiting.values()].at(-1) ?? session.open
    target?.write(`event: message\ndata: ${line}\n\n`)
    if (!asker || message.id === undefined) return
    asker.end()
    session.waiting.delete(message.id)
  })
  child.on('exit', () => {
    for (const response of session.waiting.values()) response.destroy()
    session.open?.destroy()
  })
  return session
}

function listen(session: Session, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  session.open = response
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}
