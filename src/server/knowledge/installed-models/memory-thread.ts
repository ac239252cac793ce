import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../../platform/process/lower-priority.ts'

/** Larger than the caches of a processor. */
const BYTES = 64 * 1024 * 1024
const MEASURED_MS = 600

/** Measures memory bandwidth: each token reads the whole model, so bandwidth limits the speed. */
lowerPriority(10)
const from = Buffer.alloc(BYTES, 1)
const to = Buffer.alloc(BYTES, 2)
const begun = performance.now()
let copied = 0
while (performance.now() - begun < MEASURED_MS) {
  from.copy(to)
  copied += BYTES
}
// A rough estimate: a copy also writes, and a model also computes.
parentPort?.postMessage((1000 * copied) / (performance.now() - begun))
