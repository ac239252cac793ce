import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../../platform/process/lower-priority.ts'

/** More than the caches of a processor hold. */
const BYTES = 64 * 1024 * 1024
const MEASURED_MS = 600

/** Copies memory for a while: writing a token reads the whole model, so memory decides how fast that is. */
lowerPriority(10)
const from = Buffer.alloc(BYTES, 1)
const to = Buffer.alloc(BYTES, 2)
const begun = performance.now()
let copied = 0
while (performance.now() - begun < MEASURED_MS) {
  from.copy(to)
  copied += BYTES
}
// A copy reads and writes; a model is only read, but computed with.
parentPort?.postMessage((1000 * copied) / (performance.now() - begun))
