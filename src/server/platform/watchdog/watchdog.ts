import { url as inspectorUrl } from 'node:inspector'
import { Worker } from 'node:worker_threads'
import { codeUrl } from '../process/checkout.ts'
import { type Beat, cells, textBytes } from './beat.ts'

/** Interval of the event loop's sign of life, in milliseconds. */
const BEAT_MS = 1_000

export type Watchdog = {
  /** Sets the current work, for the log line if it hangs. */
  tell: (running: string) => void
  stop: () => Promise<void>
}

/**
 * Ends this process if its event loop blocks for this long (0: never), because it serves no one then, and its work can
 * continue elsewhere or after a restart. A thread watches it. There is no watchdog under a debugger, which pauses the loop.
 */
export function startWatchdog(hangSeconds: number): Watchdog {
  if (hangSeconds === 0 || inspectorUrl() !== undefined) {
    return { tell: () => undefined, stop: async () => undefined }
  }
  const memory = new SharedArrayBuffer(cells.text + textBytes)
  const numbers = new Int32Array(memory, 0, cells.text / 4)
  const text = new Uint8Array(memory, cells.text)
  const timer = setInterval(() => Atomics.add(numbers, cells.beat, 1), BEAT_MS)
  timer.unref()
  const data: Beat = { memory, hangMs: hangSeconds * 1000 }
  const thread = new Worker(codeUrl('src/server/platform/watchdog/watch-thread.ts'), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  })
  thread.unref()
  // An error stops only the watchdog.
  thread.on('error', () => clearInterval(timer))
  return {
    tell: (running) => {
      numbers[cells.length] = new TextEncoder().encodeInto(running, text).written
    },
    stop: async () => {
      clearInterval(timer)
      await thread.terminate()
    },
  }
}
