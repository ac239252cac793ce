import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { giveBackMemory, roomForNew } from './give-back-memory.ts'

const LARGE = 32 * 2 ** 20
const LOOK_MS = 1_000
type Collected = PerformanceEntry & { detail: { flags: number } }

it('releases memory of a busy process once it is idle, and never while it works', async () => {
  let collected = 0
  const { NODE_PERFORMANCE_GC_FLAGS_FORCED: forced } = constants
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Collected[]) if (entry.detail.flags & forced) collected += 1
  })
  observer.observe({ entryTypes: ['gc'] })
  const end = giveBackMemory(LOOK_MS)
  const until = performance.now() + 3 * LOOK_MS
  while (performance.now() < until || roomForNew() <= LARGE) {
    work(20)
    await sleep(5)
  }
  observer.disconnect()
  expect(collected).toBe(0)
  // V8 forgets the recent allocation rate within seconds.
  end()
  await sleep(6_000)
  const quiet = giveBackMemory(LOOK_MS)
  await expect.poll(roomForNew, { interval: 3 * LOOK_MS, timeout: 15_000 }).toBeLessThan(LARGE / 2)
  quiet()
})

/** Allocates and retains enough memory to grow the heap. */
function work(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until) {
    if (kept.length > 300_000) kept = []
    kept.push({ at: kept.length, text: `${kept.length}` })
  }
}
let kept: object[] = []
