import type { Exchange } from '../../../platform/mcp/mcp.ts'
import type { OwnToolDeps } from '../secrets-of.ts'
import { listEnded } from './mcp-store.ts'

/** Time a call waits for a person with its connection open before it is cancelled. */
const MAX_HELD_MS = 15 * 60_000
/** Maximum waiting calls per process. */
const MAX_HELD = 40
/** Interval of the check whether another process has stopped a waiting call. */
const CHECK_INTERVAL_MS = 2_000

type Held = { exchange: Exchange; timer: NodeJS.Timeout }

/** Calls of this process that wait while a person is asked. */
export type HeldCalls = {
  hold: (executionId: string, exchange: Exchange) => void
  take: (executionId: string) => Exchange | null
}

export function createHeldCalls({ db, log }: Pick<OwnToolDeps, 'db' | 'log'>): HeldCalls {
  const held = new Map<string, Held>()
  let looking: NodeJS.Timeout | undefined
  const drop = (id: string) => {
    const one = held.get(id)
    held.delete(id)
    clearTimeout(one?.timer)
    if (held.size === 0) {
      clearInterval(looking)
      looking = undefined
    }
    return one?.exchange ?? null
  }
  const letGo = (id: string, why: string) => drop(id)?.cancel(new Error(why))
  const look = async () => {
    for (const id of await listEnded(db, [...held.keys()])) letGo(id, 'The call was stopped.')
  }
  return {
    hold: (id, exchange) => {
      letGo(id, 'The call began anew.')
      const oldest = held.size >= MAX_HELD ? held.keys().next().value : undefined
      if (oldest !== undefined) letGo(oldest, 'Too many calls wait.')
      exchange.onProgress = null
      held.set(id, {
        exchange,
        timer: setTimeout(() => letGo(id, 'Nobody answered in time.'), MAX_HELD_MS).unref(),
      })
      looking ??= setInterval(
        () => void look().catch((error) => log.warn({ error }, 'Waiting calls could not be checked.')),
        CHECK_INTERVAL_MS,
      ).unref()
    },
    take: drop,
  }
}
