import type { ModelError } from '../port.ts'
import { isSpent } from '../wire/failures.ts'

/** One key of a connection, and for how long it is passed over. */
export type PoolKey = { id: string; api_key: string; rest: { until: Date; refused: boolean } | null }

/** The id of the key that stands in the connection itself. */
export const FIRST_KEY = 'first'

/** How long a key is set aside when the provider does not say it, in seconds. */
const LIMITED_SECONDS = 60
const SPENT_SECONDS = 600
export const REFUSED_SECONDS = 600

/** Whose turn it is among the keys of each connection, in this process. */
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

/** The key whose turn it is of those that work; undefined when all are set aside. */
export function pickKey(keys: readonly PoolKey[], turn: number): PoolKey | undefined {
  const from = turn % Math.max(1, keys.length)
  return [...keys.slice(from), ...keys.slice(0, from)].find(({ rest }) => rest === null)
}

/** The key that works again soonest: where all are set aside the provider itself says why. */
export function soonestKey(keys: readonly PoolKey[]): PoolKey | undefined {
  const back = ({ rest }: PoolKey) => rest?.until.getTime() ?? 0
  return keys.toSorted((one, other) => back(one) - back(other))[0]
}

/** For how many seconds a failure sets the key aside it was asked with; null when it says nothing of the key. */
export function restAfter(error: ModelError): { seconds: number; refused: boolean } | null {
  if (error.kind === 'unauthorized') return { seconds: REFUSED_SECONDS, refused: true }
  if (error.kind !== 'rate_limited' && error.status !== 402) return null
  const usual = isSpent(error) ? SPENT_SECONDS : LIMITED_SECONDS
  return { seconds: error.retryAfterSeconds ?? usual, refused: false }
}
