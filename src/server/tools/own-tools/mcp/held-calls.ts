import type { Exchange } from '../../../platform/mcp/mcp.ts'
import type { OwnToolDeps } from '../secrets-of.ts'
import { listEnded } from './mcp-store.ts'

/** A call waits so long for a person with its connection open; then it is cancelled. */
const HELD_MS = 15 * 60_000
/** Calls that wait in this process. */
const MOST_HELD = 40
/** How often it is looked whether somebody has stopped what waits, on whatever process. */
const LOOK_EVERY_MS = 2_000

type Held = { exchange: Exchange; timer: NodeJS.Timeout }

/** Calls that stand still in this process while a person is asked. */
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
      const oldest = held.size >= MOST_HELD ? held.keys().next().value : undefined
      if (oldest !== undefined) letGo(oldest, 'Too many calls wait.')
      exchange.onProgress = null
      held.set(id, {
        exchange,
        timer: setTimeout(() => letGo(id, 'Nobody answered in time.'), HELD_MS).unref(),
      })
      looking ??= setInterval(
        () => void look().catch((error) => log.warn({ error }, 'Calls that wait could not be looked after.')),
        LOOK_EVERY_MS,
      ).unref()
    },
    take: drop,
  }
}
