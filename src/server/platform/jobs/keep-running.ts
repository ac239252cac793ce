import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'

/** A task that runs until it is stopped, or until it breaks. */
export type Runner = { ended: Promise<void>; stop: () => Promise<void> }

export type Kept = {
  /** Resolves once it has started for the first time, or was stopped before. */
  begun: Promise<void>
  /** Never fails. */
  stop: () => Promise<void>
}

const firstWaitMs = 100
const longestWaitMs = 2_000
/** Maximum wait for a start that is no longer needed. */
const patienceMs = 3_000
/** Minimum time a task must run to count as healthy. */
const wellMs = 10_000

/** Restarts a runner that breaks or cannot start while the database is unreachable. */
export function keepRunning(begin: () => Promise<Runner>, log: Log): Kept {
  const stopping = new AbortController()
  let current: Runner | null = null
  let tellBegun = () => {}
  const begun = new Promise<void>((resolve) => {
    tellBegun = resolve
  })
  const rest = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined)

  async function keep() {
    for (let waitMs = firstWaitMs; !stopping.signal.aborted; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      const startedAt = performance.now()
      try {
        current = await begin()
        tellBegun()
        if (stopping.signal.aborted) return void (await current.stop())
        await current.ended
        if (performance.now() - startedAt > wellMs) waitMs = firstWaitMs
        if (!stopping.signal.aborted) log.warn('Background work ended; restarting it.')
      } catch (error) {
        log.warn({ error }, 'Background work could not start; retrying.')
      }
      await rest(waitMs)
    }
  }
  const kept = keep().finally(tellBegun)
  return {
    begun,
    stop: async () => {
      stopping.abort()
      await current?.stop()
      // A start that waits for the database checks by itself whether it is still needed.
      await Promise.race([kept, sleep(patienceMs, undefined, { ref: false })])
    },
  }
}
