import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { giveBackMemory, roomForNew } from '../../src/server/platform/process/give-back-memory.ts'

/**
 * A process of its own: works until V8 holds a lot of memory for new objects, then rests. Prints `{ forced, busy, quiet }` as JSON: the garbage
 * collections forced during the work, and the bytes held for new objects after the work and after the rest.
 */
const [large, lookMs] = process.argv.slice(2).map(Number) as [number, number]
type Collected = PerformanceEntry & { detail: { flags: number } }

let forced = 0
const observer = new PerformanceObserver((list) => {
  for (const entry of list.getEntries() as Collected[])
    if (entry.detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) forced += 1
})
observer.observe({ entryTypes: ['gc'] })
let end = giveBackMemory(lookMs)
let kept: object[] = []
const until = performance.now() + 3 * lookMs
while (performance.now() < until || roomForNew() <= large) {
  work(20)
  await sleep(5)
}
observer.disconnect()
end()
const busy = roomForNew()
kept = []
// V8 needs about five seconds to forget the allocation rate of the work.
await sleep(6_000)
end = giveBackMemory(lookMs)
const latest = performance.now() + 20_000
while (roomForNew() >= large / 2 && performance.now() < latest) await sleep(3 * lookMs)
end()
process.stdout.write(JSON.stringify({ forced, busy, quiet: roomForNew() }))

/** Allocates and keeps objects for a while, so that V8 takes more memory for new ones. */
function work(ms: number): void {
  const stopAt = performance.now() + ms
  while (performance.now() < stopAt) {
    if (kept.length > 300_000) kept = []
    kept.push({ at: kept.length, text: `${kept.length}` })
  }
}
