import { enableCompileCache } from 'node:module'

/** `node scripts/compile.ts FOLDER`: keeps the code that a start loads compiled in a folder; a start from there takes half the time. */
enableCompileCache(process.argv[2])
const { loadCode } = await import('../src/server/load-code.ts')
await loadCode()
await Promise.all([
  import('../src/server/jobs/queue.ts'),
  import('../src/server/watchdog/watchdog.ts'),
  import('../src/parsers/child.ts'),
  import('graphile-worker'),
])
// What was loaded may hold timers; the cache is written at the end.
process.exit()
