import { loadCode } from '../src/server/load-code.ts'
import { loadQueueLibrary } from '../src/server/platform/jobs/queue-library.ts'

/** Loads what a start loads, so that Node keeps it compiled in the folder that `NODE_COMPILE_CACHE` names. */
await loadCode()
await Promise.all([
  import('../src/server/platform/jobs/queue.ts'),
  import('../src/server/platform/watchdog/watchdog.ts'),
  import('../src/parsers/reader/child.ts'),
  loadQueueLibrary(),
])
// What was loaded may hold timers; the cache is written at the end.
process.exit()
