import * as z from 'zod'
import { repeatedList, unfinishedList } from './guard-cursors.ts'
import { ListChanged } from './list-parts.ts'

const Place = z.object({ start: z.int(), last: z.string() })

/**
 * A list whose pages begin at a number. Each page is asked for with the last entry of the page before, which shows whether entries moved
 * meanwhile: otherwise some would be missed.
 */
export function openNumbered(next: string | null) {
  const from = next === null ? null : Place.parse(JSON.parse(next))
  const start = from === null ? 0 : from.start - 1
  return {
    /** Number to begin the page at. */
    start,
    /**
     * Returns the entries that are new, and the cursor behind them when there are more.
     * @throws ListChanged when entries moved and the list may begin again, AppError `unavailable` when the page repeats, or is empty and not the last
     */
    accept<T extends { id: string }>(
      host: string,
      entries: readonly T[],
      { hasMore, mayRestart }: { hasMore: boolean; mayRestart: boolean },
    ): { fresh: readonly T[]; next: string | null } {
      const overlaps = from !== null && entries[0]?.id === from.last
      if (from !== null && !overlaps && mayRestart)
        throw new ListChanged(`${host} changes its list while it is read.`)
      const last = entries.at(-1)
      if (from !== null && entries.length > 1 && last?.id === from.last) throw repeatedList(host)
      const fresh = entries.slice(overlaps ? 1 : 0)
      if (!hasMore) return { fresh, next: null }
      if (!last || fresh.length === 0) throw unfinishedList(host)
      return { fresh, next: JSON.stringify({ start: start + entries.length, last: last.id }) }
    },
  }
}
