import { rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { lowerPriority } from '../../../../platform/process/lower-priority.ts'
import { ModelError } from '../../port.ts'
import type { Said } from '../../process/model-process.ts'
import { answerCall } from './answer-call.ts'
import { openSocket } from './ask-engine.ts'
import { type FromEngine, readLines, type ToEngine } from './frames.ts'
import { type OpenModel, openModel } from './llama.ts'
import { measureSpeed } from './measure-speed.ts'
import { createQueue } from './queue.ts'

/** Arguments of the process that runs one model, as JSON. */
export type ChildTerms = {
  engine: string
  file: string
  socket: string
  threads: number
  contextMax: number
  idleMs: number
}

lowerPriority(10)
process.on('disconnect', () => process.exit())
await start(JSON.parse(process.argv[2] ?? '{}')).catch((error) =>
  say({ kind: 'refused', reason: reasonOf(error) }),
)

/** Loads the model, listens on the socket, and ends after `idleMs` without a request. */
async function start({ socket, idleMs, ...terms }: ChildTerms): Promise<void> {
  const model = await openModel(terms)
  const queue = createQueue()
  let idle = setTimeout(() => process.exit(), idleMs)
  let open = 0
  const server = createServer((connection) => {
    open += 1
    clearTimeout(idle)
    connection.on('error', () => undefined)
    connection.once('close', () => {
      open -= 1
      if (open === 0) idle = setTimeout(() => process.exit(), idleMs)
    })
    serve(model, queue, connection)
  })
  // Another process of this machine already serves the model, and all requests go to it.
  if (await openSocket(socket)) {
    say({ kind: 'ready' })
    return void setTimeout(() => process.exit(), 100)
  }
  await rm(socket, { force: true })
  server.on('error', (error) => say({ kind: 'refused', reason: reasonOf(error) }))
  server.listen(socket, () => say({ kind: 'ready' }))
}

/** Serves the one request of a connection. Closing the connection aborts the answer. */
function serve(model: OpenModel, queue: ReturnType<typeof createQueue>, connection: Socket): void {
  const gone = new AbortController()
  const tell = (frame: FromEngine) => void connection.write(`${JSON.stringify(frame)}\n`)
  connection.once('close', () => gone.abort(new Error('The request has ended.')))
  connection.on(
    'data',
    readLines(async (line) => {
      const request: ToEngine = JSON.parse(line)
      try {
        await queue.run(
          gone.signal,
          (place) => tell({ kind: 'place', place }),
          () => perform(model, request, gone.signal, tell),
        )
        tell({ kind: 'done' })
      } catch (error) {
        if (!gone.signal.aborted) tell(failureOf(error))
      }
      connection.end()
    }),
  )
}

async function perform(
  model: OpenModel,
  request: ToEngine,
  signal: AbortSignal,
  tell: (frame: FromEngine) => void,
): Promise<void> {
  if (request.kind === 'answer')
    return answerCall(model, request.call, request.said, signal, (part) => tell({ kind: 'part', part }))
  const { context_tokens, name } = model
  const tokens_per_second = await measureSpeed(model, request.milliseconds)
  tell({ kind: 'tried', context_tokens, name, tokens_per_second })
}

/** Converts an error to a frame. A call that exceeds the window becomes `too_long`, so that the caller shortens it. */
function failureOf(error: unknown): FromEngine {
  const reason = reasonOf(error)
  if (error instanceof ModelError) return { kind: 'failed', error: error.kind, reason }
  const isTooLong = /context (size|shift)|too long|compress/i.test(reason)
  return { kind: 'failed', error: isTooLong ? 'too_long' : 'bad_request', reason }
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500)
}

function say(message: Said): void {
  process.send?.(message)
}
