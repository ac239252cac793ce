import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Order } from '../../../parsers/elements/order.ts'
import { Unreadable } from '../../../parsers/elements/port.ts'
import type { DrawOrder } from '../../../parsers/image/draw-order.ts'
import type { FromChild, ToChild } from '../../../parsers/reader/child.ts'
import { MEGABYTE } from '../limits.ts'
import { codeUrl } from '../process/checkout.ts'
import { lowerPriority } from '../process/lower-priority.ts'
import { ownModulesOnly } from '../process/own-modules.ts'
import { memoryOf } from './memory.ts'

/** A process that reads documents, one at a time. */
export type Reader = {
  /** Resolves when the reading is in the order's out folder. @throws Unreadable; the reason of `signal` */
  read(order: Order, options: ReadOptions): Promise<void>
  /** Resolves when the picture is in the order's out folder. @throws what `read` throws */
  draw(order: DrawOrder, options: ReadOptions): Promise<void>
  /** Returns whether it can read another document. */
  isFit(): boolean
  kill(): void
}

export type ReadOptions = {
  signal: AbortSignal
  onProgress: (done: number, total: number) => void
  bounds: Bounds
}

export type Bounds = {
  /** Memory limit of the process and its child processes, in bytes. */
  memory: number
  /** Time limits in milliseconds: without progress, and in total. */
  stall: number
  whole: number
}

const child = fileURLToPath(codeUrl('src/parsers/reader/child.ts'))
/** A process is replaced after this many files, which limits memory leaks of libraries. */
const MAX_FILES = 50
const CHECK_INTERVAL_MS = 200
/** Time limit of a thumbnail. Without it, the document is still read. */
const THUMBNAIL_MS = 10_000

/**
 * Starts a process that receives nothing but the file it reads. Its environment has no secrets, its group ends as a whole,
 * and it runs at low priority so that people's requests come first.
 */
export function startReader(): Reader {
  const process_ = spawn(process.execPath, [...ownModulesOnly, '--max-old-space-size=1024', child], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    detached: true,
    env: plainEnvironment(),
  })
  process_.unref()
  process_.channel?.unref()
  process_.on('error', () => undefined)
  if (process_.pid) lowerPriority(10, process_.pid)
  let files = 0
  let isDead = false
  process_.on('exit', () => {
    isDead = true
  })
  const kill = () => {
    // Its exit is reported later; it receives no work until then.
    isDead = true
    killGroup(process_)
  }
  const send = (message: ToChild, options: ReadOptions) => {
    files += 1
    return workWith(process_, message, options, kill)
  }
  return {
    read: (order, options) => send({ kind: 'read', order }, options),
    draw: (order, options) => send({ kind: 'draw', order }, options),
    isFit: () => !isDead && process_.connected && files < MAX_FILES,
    kill,
  }
}

async function workWith(
  process_: ChildProcess,
  order: ToChild,
  { signal, onProgress, bounds }: ReadOptions,
  kill: () => void,
): Promise<void> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const began = Date.now()
  let moved = began
  let most = 0
  let writtenAt: number | null = null
  // An error after the reading is written affects only the thumbnail.
  const endWith = (error: Error) => {
    kill()
    if (writtenAt === null) reject(error)
    else resolve()
  }
  const onMessage = (message: FromChild) => {
    if (message.kind === 'read') resolve()
    else if (message.kind === 'written') writtenAt = Date.now()
    else if (message.kind === 'unreadable') reject(new Unreadable(message.code, message.values))
    else if (message.kind === 'failed') reject(new Unreadable('damaged', {}, { cause: message.detail }))
    else if (message.kind === 'progress') {
      if (message.done > most) moved = Date.now()
      most = Math.max(most, message.done)
      onProgress(message.done, message.total)
    }
  }
  // Running out of memory is the usual reason for an unexpected exit.
  const onExit = () => (writtenAt === null ? reject(new Unreadable('crashed')) : resolve())
  const onAbort = () => {
    kill()
    reject(signal.reason)
  }
  const look = setInterval(() => {
    const now = Date.now()
    if (writtenAt !== null && now - writtenAt > THUMBNAIL_MS) return endWith(new Unreadable('took_too_long'))
    if (now - moved > bounds.stall || now - began > bounds.whole)
      return endWith(new Unreadable('took_too_long', { seconds: Math.round((now - began) / 1000) }))
    if (process_.pid && memoryOf(process_.pid) > bounds.memory)
      endWith(new Unreadable('took_too_much_memory', { megabytes: Math.round(bounds.memory / MEGABYTE) }))
  }, CHECK_INTERVAL_MS)
  process_.on('message', onMessage)
  process_.on('exit', onExit)
  signal.addEventListener('abort', onAbort)
  try {
    process_.send(order, (error) => error && reject(new Unreadable('crashed')))
    await promise
  } finally {
    clearInterval(look)
    process_.off('message', onMessage)
    process_.off('exit', onExit)
    signal.removeEventListener('abort', onAbort)
  }
}

function plainEnvironment(): NodeJS.ProcessEnv {
  const { PATH, LANG, TMPDIR, NODE_COMPILE_CACHE } = process.env
  return { PATH, LANG, TMPDIR, NODE_COMPILE_CACHE, OMP_THREAD_LIMIT: '1' }
}

function killGroup({ pid }: ChildProcess): void {
  if (!pid) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}
