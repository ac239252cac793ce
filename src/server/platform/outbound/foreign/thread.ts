import { Worker } from 'node:worker_threads'
import { AppError, type ErrorCode } from '#shared/platform/errors.ts'
import { ownModulesOnly } from '../../process/own-modules.ts'

/** Answer of a thread. A refusal is an `AppError` of the work; `syntax` reports malformed input. */
export type Said =
  | { value: unknown }
  | { refused: { code: ErrorCode; detail: string } }
  | { syntax: string }
  | { failed: string }

/** A shared thread that does one task at a time. */
export type Thread<Input, Result> = {
  /**
   * Returns the result of a task after those queued before it. `moved` bytes are transferred without a copy and unusable here.
   * @throws AppError of the work, `too_large` beyond the time or memory limit; SyntaxError of the work
   */
  run: (input: Input, moved?: readonly Uint8Array[]) => Promise<Result>
}

type ThreadBounds = {
  /** Time limit per task in seconds; the default is 10. */
  seconds?: number
  /** Heap limit in megabytes; the default is 160. */
  megabytes?: number
  /** Creates the error for a task beyond the time or memory limit. */
  tooMuch?: () => AppError
}

/** Time in milliseconds after which an idle thread ends. */
const IDLE_MS = 20_000
/** Maximum queued tasks; further ones are refused. */
const MAX_WAITING = 200

/**
 * Creates a thread for the module at `url`, which calls `serveThread`. It starts with the first task and ends when idle. A thread
 * that hangs or exceeds its memory is replaced.
 */
export function createThread<Input, Result>(
  url: URL,
  { seconds = 10, megabytes = 160, tooMuch = tooHard }: ThreadBounds = {},
): Thread<Input, Result> {
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  const end = () => {
    clearTimeout(idle)
    void worker?.terminate()
    worker = null
  }
  const start = (): Worker => {
    if (worker) return worker
    const started = new Worker(url, {
      execArgv: ownModulesOnly,
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
    })
    // The thread does not keep the process alive. If it exits, its current task fails.
    started.unref()
    started.on('error', () => undefined)
    worker = started
    return started
  }
  const work = async (input: Input, moved: readonly Uint8Array[]): Promise<Result> => {
    clearTimeout(idle)
    const target = start()
    const { promise, resolve, reject } = Promise.withResolvers<Said>()
    const hear = (said: Said) => resolve(said)
    const fail = (cause: unknown) => {
      end()
      reject(Object.assign(tooMuch(), { cause }))
    }
    const timer = setTimeout(() => fail(new Error(`It takes longer than ${seconds} s.`)), seconds * 1000)
    target.once('message', hear).once('error', fail).once('exit', fail)
    try {
      target.postMessage(input, moved.flatMap(wholeBuffer))
      return readSaid(await promise) as Result
    } finally {
      clearTimeout(timer)
      target.off('message', hear).off('error', fail).off('exit', fail)
      if (worker) idle = setTimeout(end, IDLE_MS).unref()
    }
  }
  return {
    run: async (input, moved = []) => {
      if (waiting >= MAX_WAITING)
        throw new AppError('unavailable', 'Too many answers are being read. Try again in a minute.')
      waiting += 1
      const mine = last.then(
        () => work(input, moved),
        () => work(input, moved),
      )
      last = mine.catch(() => undefined)
      return mine.finally(() => {
        waiting -= 1
      })
    },
  }
}

/** Returns the buffer of some bytes if it contains nothing else. */
export function wholeBuffer({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []
}

function readSaid(said: Said): unknown {
  if ('value' in said) return said.value
  if ('refused' in said) throw new AppError(said.refused.code, said.refused.detail)
  throw 'syntax' in said ? new SyntaxError(said.syntax) : new Error(said.failed)
}

const tooHard = () => new AppError('too_large', 'The answer is too large.')
