import type { ModelError } from '../port.ts'
import { isSpent } from '../wire/failures.ts'

/** A key of a connection, and the time until which it is skipped. */
export type PoolKey = { id: string; api_key: string; rest: { until: Date; refused: boolean } | null }

/** Id of the key stored in the connection itself. */
export const FIRST_KEY = 'first'

/** Seconds for which a key is skipped when the provider states no time. */
const LIMITED_SECONDS = 60
const SPENT_SECONDS = 600
export const REFUSED_SECONDS = 600

/** Round-robin counters of the keys of each connection, in this process. */
export type Turns = { next: (connectionId: string) => number }

export function createTurns(): Turns {
  const turns = new Map<string, number>()
  return {
    next: (connectionId) => {
      const turn = turns.get(connectionId) ?? 0
      turns.set(connectionId, turn + 1)
      return turn
    },
  }
}

/** Returns the next working key; undefined if all are skipped. */
export function pickKey(keys: readonly PoolKey[], turn: number): PoolKey | undefined {
  const from = turn % Math.max(1, keys.length)
  return [...keys.slice(from), ...keys.slice(0, from)].find(({ rest }) => rest === null)
}

/** Returns the key that works again soonest. If all are skipped it is used, so that the provider states the reason. */
export function soonestKey(keys: readonly PoolKey[]): PoolKey | undefined {
  const back = ({ rest }: PoolKey) => rest?.until.getTime() ?? 0
  return keys.toSorted((one, other) => back(one) - back(other))[0]
}

/** Returns for how many seconds an error makes its key be skipped; null if the key is not the cause. */
export function restAfter(error: ModelError): { seconds: number; refused: boolean } | null {
  if (error.kind === 'unauthorized') return { seconds: REFUSED_SECONDS, refused: true }
  if (error.kind !== 'rate_limited' && error.status !== 402) return null
  const usual = isSpent(error) ? SPENT_SECONDS : LIMITED_SECONDS
  return { seconds: error.retryAfterSeconds ?? usual, refused: false }
}
