import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'

type Lance = typeof import('@lancedb/lancedb')
type Arrow = typeof import('apache-arrow')

const LEAST_THREADS = 4

let loaded: { lance: Lance; arrow: Arrow } | null = null

/** LanceDB and the Arrow it takes: both of one kind of module, else it does not know the other's schemas. Loaded at first use (80 MB). */
export function engine(): { lance: Lance; arrow: Arrow } {
  if (loaded) return loaded
  // What it writes on standard error is not for the log.
  process.env.RUST_LOG ??= 'error'
  // It keeps two cores for reading, and so has a single thread for the rest on two of them. An index of words whose writers hold all threads
  // waits for another one for ever: there are always more threads than writers.
  const threads = Math.max(LEAST_THREADS, availableParallelism())
  process.env.LANCE_CPU_THREADS ??= String(threads)
  process.env.LANCE_FTS_NUM_SHARDS ??= String(Math.floor(threads / 2) - 1)
  const require = createRequire(import.meta.url)
  loaded = { lance: require('@lancedb/lancedb'), arrow: require('apache-arrow') }
  return loaded
}
