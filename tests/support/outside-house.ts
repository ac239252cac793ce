import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import type { AskedTool } from '../../src/shared/runs/runs/request.ts'
import { type ApiServer, startApiServer } from './api-server.ts'
import { readOn } from './asking.ts'
import { type Chat, startChat } from './chat.ts'
import { aReader, type Reader } from './documents.ts'
import { type MadeWeb, startMadeWeb } from './made-web.ts'
import { startWeatherServer, type WeatherServer } from './weather-server.ts'

/** The product with local fakes of everything it can send text to. Everything sent is recorded. */
export type OutsideHouse = {
  chat: Chat
  reader: Reader
  api: ApiServer
  web: MadeWeb
  weather: WeatherServer
  mcp: WordyMcpServer
  /** The descriptions of the harmless MCP server. */
  mcpWords: { tools: McpTool[] }
  /** Returns everything sent anywhere, in order, as text. */
  sent: () => string[]
  forget: () => void
  /** Adds a document to the library and links it to a new chat. */
  chatWith: (file: { name: string; content: string | Buffer }, metadata?: object) => Promise<string>
  /** Sends a message and waits until the run is at rest. */
  ask: (sessionId: string, body: string | Record<string, unknown>) => Promise<Rest>
  /** Answers an approval and waits until the run is at rest again. */
  /** Reads the state of a run again. Calls of one answer are asked one after the other. */
  rest: (sessionId: string) => Promise<Rest>
  answer: (sessionId: string, tool: AskedTool, input: unknown) => Promise<Rest>
  close: () => Promise<void>
}

/** State of a run: its pending approvals, the reply, and the errors of its tools. */
export type Rest = { asks: AskedTool[]; status: string; content: string; errors: string[] }

export async function startOutsideHouse(config: Record<string, string> = {}): Promise<OutsideHouse> {
  const [api, web, weather, mcp] = await Promise.all([
    startApiServer(),
    startMadeWeb(),
    startWeatherServer(),
    startWordyMcpServer(),
  ])
  const chat = await startChat({
    app: {
      config: {
        ...{ SEARXNG_URL: `${web.url}/searxng`, ATRIUM_WEB_PRIVATE: web.url },
        ...{ OPEN_METEO_URL: weather.url, OPEN_METEO_GEOCODING_URL: weather.url },
        ...{ COMPANY_REGISTER_URL: `${api.url}/register` },
        ...{ ATRIUM_TOOLS_PRIVATE: `${api.url},${mcp.origin}`, ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' },
        ...{ ATRIUM_LIMIT_REQUESTS_A_MINUTE: '1000000', ATRIUM_WEB_CACHE_HOURS: '0', ...config },
      },
    },
    user: { role: 'super_admin' },
  })
  const reader = await aReader(chat.app, chat.url, chat.user)
  const rest = async (sessionId: string): Promise<Rest> => {
    const stream = await readOn(chat, sessionId)
    const view = stream.view()
    const blocks = view?.blocks ?? []
    return {
      asks: blocks.flatMap((block) =>
        block.type === 'input_required' &&
        block.state === 'waiting' &&
        block.kind === 'approval' &&
        block.tool
          ? [block.tool]
          : [],
      ),
      ...{ status: view?.status ?? '', content: view?.content ?? '' },
      errors: blocks.flatMap((block) => (block.type === 'tool' && block.error ? [block.error] : [])),
    }
  }
  return {
    ...{ chat, reader, api, web, weather, mcp, mcpWords },
    sent: () => [
      ...api.asked.map(({ method, path, headers, body }) =>
        [method, decode(path), JSON.stringify(headers), body].join(' '),
      ),
      ...web.asked.map(({ path, query, body }) => [path, JSON.stringify(query), body].join(' ')),
      ...weather.asked.map(({ path, query }) => [path, JSON.stringify(query)].join(' ')),
      ...mcp.called.map((call) => JSON.stringify(call)),
    ],
    forget: () => {
      for (const list of [api.asked, web.asked, weather.asked, mcp.called]) list.length = 0
    },
    chatWith: async ({ name, content }, metadata = {}) => {
      const bytes = typeof content === 'string' ? content : new Uint8Array(content)
      const { body } = await reader.upload({ name, content: bytes })
      expect(await reader.processed(body.id)).toMatchObject({ status: 'completed' })
      const id = await chat.aSession({ metadata: metadata as Record<string, unknown> })
      await chat.call('POST', `/sessions/${id}/documents/${body.id}`)
      return id
    },
    ask: async (sessionId, body) => {
      const stream = await chat.ask(sessionId, body)
      await stream.ended
      return rest(sessionId)
    },
    rest,
    answer: async (sessionId, tool, input) => {
      const path = `/tool-executions/${tool.tool_execution_id}/provide-input`
      const given = await chat.call('POST', path, { input, input_type: 'json' })
      expect(given.status, JSON.stringify(given.body)).toBe(200)
      return rest(sessionId)
    },
    close: async () => {
      await chat.close()
      await Promise.all([api.close(), web.close(), weather.close(), mcp.close()])
    },
  }
}

const decode = (path: string) => {
  try {
    return `${path} ${decodeURIComponent(path.replaceAll('+', ' '))}`
  } catch {
    return path
  }
}

type McpTool = { name: string; description: string; inputSchema?: object; annotations?: object }

const takes = (name: string, properties: object, annotations: object = { readOnlyHint: true }): McpTool => ({
  ...{ name, description: `Takes ${name}.`, inputSchema: { type: 'object', properties }, annotations },
})
const mcpWords = {
  tools: [
    takes('words', { text: { type: 'string' } }),
    takes('numbers', { list: { type: 'array', items: { type: 'number' } } }),
    takes('write', { text: { type: 'string' } }, { destructiveHint: true }),
    ...['letter_0', 'letter_1'].map((name) => takes(name, {})),
  ],
}

/** An MCP server whose descriptions and results are set by the test. */
export type WordyMcpServer = {
  origin: string
  url: string
  called: { name: string; arguments: unknown }[]
  says: (next: { instructions?: string; tools?: McpTool[]; result?: string; fails?: boolean }) => void
  close: () => Promise<void>
}

async function startWordyMcpServer(): Promise<WordyMcpServer> {
  const called: WordyMcpServer['called'] = []
  let said: Parameters<WordyMcpServer['says']>[0] = {}
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method, params } = JSON.parse(await bodyOf(request))
    if (id === undefined) return void response.writeHead(202).end()
    if (method === 'tools/call') called.push({ name: params.name, arguments: params.arguments })
    const result = answerOf(method, said)
    const error = { code: -32_601, message: 'There is no such method.' }
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ origin, url: `${origin}/mcp`, called },
    says: (next) => {
      said = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answerOf(method: string, said: Parameters<WordyMcpServer['says']>[0]): unknown {
  switch (method) {
    case 'initialize':
      return {
        ...{ protocolVersion: '2025-11-25', capabilities: { tools: {} } },
        ...{ serverInfo: { name: 'wordy', version: '1' }, instructions: said.instructions ?? '' },
      }
    case 'tools/list':
      return {
        tools: (said.tools ?? []).map((tool) => ({
          ...{
            inputSchema: { type: 'object', properties: {} },
            annotations: { readOnlyHint: true },
            ...tool,
          },
        })),
      }
    case 'tools/call':
      return {
        content: [{ type: 'text', text: said.result ?? 'Done.' }],
        ...(said.fails && { isError: true }),
      }
    default:
      return null
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}
