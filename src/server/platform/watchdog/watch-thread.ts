import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { type Beat, cells } from './beat.ts'

/** Interval of the check in milliseconds. */
const CHECK_INTERVAL_MS = 500
/** A check later than this means that this thread was suspended too: the machine slept, and nothing hung. */
const MIN_SLEEP_MS = 4 * CHECK_INTERVAL_MS

const { memory, hangMs } = workerData as Beat
const numbers = new Int32Array(memory, 0, cells.text / 4)

let last = -1
let stoodStillMs = 0
for (let lookedAt = performance.now(); ; ) {
  Atomics.wait(numbers, cells.never, 0, CHECK_INTERVAL_MS)
  const now = performance.now()
  const took = now - lookedAt
  lookedAt = now
  const beat = Atomics.load(numbers, cells.beat)
  if (beat !== last || took > MIN_SLEEP_MS) {
    last = beat
    stoodStillMs = 0
    continue
  }
  stoodStillMs += took
  if (stoodStillMs >= hangMs) endProcess()
}

/** The process cannot shut down cleanly any more. */
function endProcess(): void {
  const running = Buffer.from(memory, cells.text, numbers[cells.length]).toString()
  const msg = `The server stood still for ${Math.round(hangMs / 1000)} s and ends itself.`
  const line = { level: 60, time: Date.now(), pid: process.pid, running, msg }
  writeSync(1, `${JSON.stringify(line)}\n`)
  process.kill(process.pid, 'SIGKILL')
}
