import { Worker } from 'node:worker_threads'
import { AppError, type ErrorCode } from '#shared/platform/errors.ts'
import { ownModulesOnly } from '../../process/own-modules.ts'

/** What a thread answers. A refusal is an `AppError` of the work; `syntax` says that a text is none of its kind. */
export type Said =
  | { value: unknown }
  | { refused: { code: ErrorCode; detail: string } }
  | { syntax: string }
  | { failed: string }

/** A thread that does one piece of work at a time for as many as ask. */
export type Thread<Input, Result> = {
  /**
   * The result of the work; whoever asks waits for those before. Bytes that are `moved` are gone here afterwards, and cost no copy.
   * @throws AppError what the work refuses, `too_large` when it takes too much time or memory; SyntaxError as the work does
   */
  run: (input: Input, moved?: readonly Uint8Array[]) => Promise<Result>
}

type ThreadBounds = {
  /** One piece of work takes no longer; 10 without it. */
  seconds?: number
  /** Of its heap; 160 without it. */
  megabytes?: number
  /** The refusal of work that takes too much time or memory. */
  tooMuch?: () => AppError
}

/** A thread that nobody needs ends after this time, in milliseconds. */
const IDLE_MS = 20_000
/** Pieces of work that wait; further ones are refused. */
const MAX_WAITING = 200

/**
 * A thread of the module at `url`, which calls `serveThread`. It starts with the first piece of work and ends when idle; one that
 * hangs, or takes too much memory, ends and is replaced.
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
    // It keeps nobody from ending, and an end by itself shows in the work it was given.
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

/** The memory under some bytes, where nothing else stands in it. */
export function wholeBuffer({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []
}

function readSaid(said: Said): unknown {
  if ('value' in said) return said.value
  if ('refused' in said) throw new AppError(said.refused.code, said.refused.detail)
  throw 'syntax' in said ? new SyntaxError(said.syntax) : new Error(said.failed)
}

const tooHard = () => new AppError('too_large', 'The answer is too large.')
