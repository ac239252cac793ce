import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'

type Lance = typeof import('@lancedb/lancedb')
type Arrow = typeof import('apache-arrow')

const MIN_THREADS = 4

let loaded: { lance: Lance; arrow: Arrow } | null = null

/** Loads LanceDB and Arrow at first use (80 MB). Both must be the same module kind, or LanceDB rejects Arrow's schemas. */
export function engine(): { lance: Lance; arrow: Arrow } {
  if (loaded) return loaded
  // The engine's output on standard error does not belong in the log.
  process.env.RUST_LOG ??= 'error'
  // The engine reserves two cores for reading, which leaves a single thread on a machine with two. A text index whose writers
  // occupy all threads deadlocks, so there must always be more threads than writers.
  const threads = Math.max(MIN_THREADS, availableParallelism())
  process.env.LANCE_CPU_THREADS ??= String(threads)
  process.env.LANCE_FTS_NUM_SHARDS ??= String(Math.floor(threads / 2) - 1)
  const require = createRequire(import.meta.url)
  loaded = { lance: require('@lancedb/lancedb'), arrow: require('apache-arrow') }
  return loaded
}
