import { url as inspectorUrl } from 'node:inspector'
import { Worker } from 'node:worker_threads'
import { codeUrl } from '../process/checkout.ts'
import { type Beat, cells, textBytes } from './beat.ts'

/** How often the event loop says that it turns, in milliseconds. */
const BEAT_MS = 1_000

export type Watchdog = {
  /** What runs here from now on, for the line that is logged when it hangs. */
  tell: (running: string) => void
  stop: () => Promise<void>
}

/**
 * Ends this process when its event loop stands still for so long (0: never): it serves nobody then, and what it holds
 * can go on elsewhere or after a restart. A thread watches, because nothing else still runs. There is no watch under
 * a debugger, which stops the loop.
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
  // Without it nothing is lost but the watch itself.
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
