import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Histogram } from '../measure/statistics.ts'
import { askedTokens, nowUs, tokenText } from './token.ts'

/**
 * The scripted provider in a separate process: speaks the OpenAI chat wire and sends each stream's tokens at an even pace.
 * Frames have one fixed length and go directly to the socket, so that a token costs a few microseconds.
 */
const TOKENS_PER_SECOND = Number(process.env.TOKENS_PER_SECOND ?? 50)
const PERIOD_MS = 1000 / TOKENS_PER_SECOND

type Stream = { socket: Socket; next: number; tokens: number }

/** Streams by the millisecond of their period in which they send. */
const wheel: Set<Stream>[] = Array.from({ length: PERIOD_MS }, () => new Set())
let late = new Histogram()
let sent = 0
let requests = 0
let lastTick = Math.floor(performance.now())

const head = (model: string) =>
  `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"${model}",` +
  '"system_fingerprint":"fp_bench","choices":[{"index":0,"delta":'
const tail = ',"logprobs":null,"finish_reason":null}]}\n\n'
const before = `${head('bench')}{"content":"`
const frameSize = Buffer.byteLength(`${before}${tokenText(0, 0)}"}${tail}`)
const framePrefix = `${frameSize.toString(16)}\r\n${before}`
const frameSuffix = `"}${tail}\r\n`

const server = createServer(answer)
server.listen(
  { port: Number(process.env.PORT ?? 0), host: '127.0.0.1', reusePort: process.env.SHARE === '1' },
  () => {
    const address = server.address()
    process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
  },
)
setTimeout(tick, 1)

process.on('message', () => {
  process.send?.({ late: late.toSparse(), sent, requests, cpu_us: process.cpuUsage() })
  late = new Histogram()
  sent = 0
  requests = 0
})
process.on('disconnect', () => process.exit(0))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of request) body += chunk
  if (request.method === 'GET') return sendModels(response)
  requests += 1
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'transfer-encoding': 'chunked',
    connection: 'close',
  })
  response.flushHeaders()
  const { socket } = response
  if (!socket) return
  socket.write(chunked(`${head('bench')}{"role":"assistant","content":""}${tail}`))
  const stream: Stream = { socket, next: 0, tokens: askedTokens(body) }
  const slot = wheel[Math.floor(performance.now()) % PERIOD_MS]
  slot?.add(stream)
  socket.on('close', () => slot?.delete(stream))
  socket.on('error', () => slot?.delete(stream))
}

function sendModels(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({ object: 'list', data: [{ id: 'bench', object: 'model', owned_by: 'bench' }] }),
  )
}

function tick(): void {
  const now = Math.floor(performance.now())
  while (lastTick < now) {
    lastTick += 1
    const slot = wheel[lastTick % PERIOD_MS]
    if (slot && slot.size > 0) for (const stream of slot) sendToken(stream, slot)
  }
  setTimeout(tick, 1)
}

function sendToken(stream: Stream, slot: Set<Stream>): void {
  if (stream.next === stream.tokens) {
    slot.delete(stream)
    finish(stream)
    return
  }
  stream.socket.write(`${framePrefix}${tokenText(stream.next, nowUs())}${frameSuffix}`, 'latin1')
  stream.next += 1
  sent += 1
  late.add((performance.now() - lastTick) * 1000)
}

function finish({ socket, tokens }: Stream): void {
  const end = `${head('bench')}{},"logprobs":null,"finish_reason":"stop"}]}\n\n`
  const usage =
    'data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"bench","choices":[],' +
    `"usage":{"prompt_tokens":20,"completion_tokens":${tokens},"total_tokens":${tokens + 20}}}\n\n`
  socket.end(`${chunked(`${end}${usage}data: [DONE]\n\n`)}0\r\n\r\n`)
}

function chunked(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}
