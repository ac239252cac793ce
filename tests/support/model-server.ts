import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

type Chunk = Record<string, unknown>

/** One action of the scripted model during its answer. */
export type Move =
  | { do: 'say'; pieces: string[] }
  | { do: 'think'; pieces: string[] }
  | { do: 'call'; name: unknown; input: unknown; id?: unknown }
  | { do: 'cite'; pages: { url: unknown; title?: unknown }[] }
  | { do: 'wait'; until: Promise<unknown> }
  | { do: 'fail'; status: number; message: string; retryAfter?: number }
  | { do: 'cut' }
  | { do: 'stream-error'; error: Record<string, unknown> }
  | { do: 'stop-at-length' }
  | { do: 'stop-by-filter' }
  | { do: 'use'; input: number; output: number }
  | { do: 'hang' }
  | { do: 'garbage' }

/** Says text in these pieces. */
export const says = (...pieces: string[]): Move => ({ do: 'say', pieces })
/** Sends reasoning before the answer. */
export const thinks = (...pieces: string[]): Move => ({ do: 'think', pieces })
/** Calls a tool with an input; several in one script are parallel calls. The default `id` is unique. */
export const calls = (name: unknown, input: unknown, id?: unknown): Move => ({ do: 'call', name, input, id })
/** Cites pages as sources of its text. */
export const cites = (...pages: { url: unknown; title?: unknown }[]): Move => ({ do: 'cite', pages })
/** Continues when the promise is fulfilled. */
export const waits = (until: Promise<unknown>): Move => ({ do: 'wait', until })
/** Answers with an HTTP error; must be the first move. */
export const fails = (status: number, message = 'scripted failure', retryAfter?: number): Move => ({
  do: 'fail',
  status,
  message,
  retryAfter,
})
/** Closes the connection mid-answer. */
export const cuts = (): Move => ({ do: 'cut' })
/** Ends at the maximum answer length, with the text incomplete. */
export const stopsAtLength = (): Move => ({ do: 'stop-at-length' })
/** Ends by the provider's content filter. */
export const stopsByFilter = (): Move => ({ do: 'stop-by-filter' })
/** Reports this usage instead of 100 and 20 tokens. */
export const uses = (input: number, output: number): Move => ({ do: 'use', input, output })
/** Leaves the connection open without sending more. */
export const hangs = (): Move => ({ do: 'hang' })
/** Sends invalid JSON and ends. */
export const garbage = (): Move => ({ do: 'garbage' })

/** A request received by the model. */
export type ModelRequest = {
  messages: { role: string; content: unknown; tool_call_id?: string; tool_calls?: { id: string }[] }[]
  tools?: unknown[]
  [key: string]: unknown
}
export type Script = Move[] | ((request: ModelRequest) => Move[])

export type ModelServer = {
  /** Base URL for `ATRIUM_COMPATIBLE_URL`. */
  url: string
  requests: ModelRequest[]
  /** Headers of all requests, including lists of models. */
  heads: IncomingHttpHeaders[]
  /** Sets scripts for the next requests in turn; later ones get `always`, then a short text. */
  reply: (...scripts: Script[]) => void
  always: (script: Script) => void
  /** Drops unused scripts, such as those left by a failed test. */
  forget: () => void
  /** Number of answers cut off before they were complete. */
  cutOff: () => number
  close: () => Promise<void>
}

type Options = {
  tokensPerSecond?: number
  models?: string[]
  port?: number
  /** Context windows of the models that report one, in tokens. */
  windows?: Record<string, number>
}

/** Starts a language model on the OpenAI chat wire whose answers are scripted by the test. */
export async function startModelServer({
  tokensPerSecond,
  models = ['scripted'],
  port = 0,
  windows = {},
}: Options = {}): Promise<ModelServer> {
  const queue: Script[] = []
  const requests: ModelRequest[] = []
  const heads: IncomingHttpHeaders[] = []
  let cutOff = 0
  let fallback: Script = [says('Hello ', 'from the ', 'scripted model.')]

  const server = createServer(async (request, response) => {
    heads.push(request.headers)
    if (request.method === 'GET')
      return sendJson(response, 200, {
        object: 'list',
        data: models.map((id) => ({ id, object: 'model', context_length: windows[id] })),
      })
    const body = (await readJson(request)) as ModelRequest
    requests.push(body)
    response.once('close', () => {
      if (!response.writableEnded) cutOff += 1
    })
    const script = queue.shift() ?? fallback
    const moves = typeof script === 'function' ? script(body) : script
    await play(moves, response, tokensPerSecond).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    heads,
    reply: (...scripts) => void queue.push(...scripts),
    forget: () => void queue.splice(0),
    cutOff: () => cutOff,
    always: (script) => {
      fallback = script
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function play(
  moves: Move[],
  response: ServerResponse,
  tokensPerSecond: number | undefined,
): Promise<void> {
  const first = moves[0]
  if (first?.do === 'fail') {
    if (first.retryAfter !== undefined) response.setHeader('retry-after', String(first.retryAfter))
    return sendJson(response, first.status, { error: { message: first.message } })
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  response.flushHeaders()
  let called = 0
  for (const move of moves) {
    switch (move.do) {
      case 'say':
      case 'think':
        for (const piece of move.pieces) {
          if (response.destroyed) return
          sendChunk(response, { [move.do === 'say' ? 'content' : 'reasoning_content']: piece })
          if (tokensPerSecond) await sleep(1000 / tokensPerSecond)
        }
        break
      case 'call': {
        const written = JSON.stringify(move.input)
        const id = move.id ?? `call_${called}_${move.name}`
        sendChunk(response, {
          tool_calls: [{ index: called, id, type: 'function', function: { name: move.name, arguments: '' } }],
        })
        for (const piece of [written.slice(0, 4), written.slice(4)]) {
          sendChunk(response, { tool_calls: [{ index: called, function: { arguments: piece } }] })
        }
        called += 1
        break
      }
      case 'cite':
        sendChunk(response, {
          annotations: move.pages.map((url_citation) => ({ type: 'url_citation', url_citation })),
        })
        break
      case 'wait':
        await move.until
        break
      case 'cut':
        await sleep(20)
        response.destroy()
        return
      case 'stream-error':
        response.end(`data: ${JSON.stringify({ error: move.error })}\n\n`)
        return
      case 'stop-at-length':
      case 'stop-by-filter':
      case 'use':
        break
      case 'hang':
        return
      case 'garbage':
        response.end('data: {"choices": [{"del\n\ndata: <html>\n\n')
        return
      case 'fail':
        throw new Error('a failure must be the first move of a script')
    }
  }
  const reason = reasonOf(moves)
  send(response, { choices: [{ index: 0, delta: {}, finish_reason: called > 0 ? 'tool_calls' : reason }] })
  const { input, output } = moves.find((move) => move.do === 'use') ?? { input: 100, output: 20 }
  const tokens = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
  send(response, { choices: [], usage: tokens })
  response.end('data: [DONE]\n\n')
}

function reasonOf(moves: Move[]): string {
  if (moves.some((move) => move.do === 'stop-by-filter')) return 'content_filter'
  return moves.some((move) => move.do === 'stop-at-length') ? 'length' : 'stop'
}

function sendChunk(response: ServerResponse, delta: Chunk): void {
  send(response, { choices: [{ index: 0, delta }] })
}

function send(response: ServerResponse, chunk: Chunk): void {
  response.write(`data: ${JSON.stringify({ id: 'scripted', object: 'chat.completion.chunk', ...chunk })}\n\n`)
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.parse(text)
}
