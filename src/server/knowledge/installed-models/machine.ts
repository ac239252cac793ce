import { Worker } from 'node:worker_threads'
import { codeUrl } from '../../platform/process/checkout.ts'

export type Machine = {
  /** Memory bandwidth of one core in bytes per second, measured once; null during the measurement. */
  bytesPerSecond(): Promise<number | null>
}

/** How long a request waits for the measurement. */
const PATIENCE_MS = 2_000

export function createMachine(): Machine {
  let measured: Promise<number | null> | null = null
  return {
    bytesPerSecond: async () => {
      measured ??= measure()
      const late = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MS, null).unref())
      return Promise.race([measured, late])
    },
  }
}

function measure(): Promise<number | null> {
  const worker = new Worker(codeUrl('src/server/knowledge/installed-models/memory-thread.ts'))
  worker.unref()
  return new Promise((resolve) => {
    worker.once('message', resolve)
    worker.once('error', () => resolve(null))
    worker.once('exit', () => resolve(null))
  })
}
