import * as z from 'zod'
import type { Selection } from '#shared/knowledge/connectors/sources.ts'
import { AppError } from '#shared/platform/errors.ts'
import { ItemRefused, type ListedPage, type SourceItem } from '../define-connector.ts'
import { keepSelected } from '../selected.ts'
import { repeatedList } from './guard-cursors.ts'

/** Pages of one part. A source whose cursors have no end stops there. */
const MAX_PAGES = 20_000
/** Restarts of one part whose cursor expired or whose items moved meanwhile. */
const MAX_RESTARTS = 3

/** A part of a source, such as a space. `page` returns the items behind a cursor, and the next cursor. */
export type Part = {
  key: string
  page: (
    next: string | null,
    more: { mayRestart: boolean },
  ) => Promise<{ items: SourceItem[]; next: string | null }>
}

/** The items before a cursor changed, so the part is listed again from its start. */
export class ListChanged extends Error {}

const Place = z.object({ key: z.string(), next: z.nullable(z.string()), pages: z.int(), restarts: z.int() })
type Place = z.infer<typeof Place>

/**
 * Lists parts in the order of their keys. The cursor names the part and its cursor, so that a part that is new or gone moves no other.
 * @throws AppError `unavailable` for a part that is refused, repeats a cursor or has no end
 */
export async function* listParts(
  host: string,
  parts: readonly Part[],
  selection: Selection,
  cursor: string | null,
): AsyncGenerator<ListedPage> {
  const sorted = [...parts].sort((a, b) => (a.key < b.key ? -1 : 1))
  const from = cursor === null ? null : Place.parse(JSON.parse(cursor))
  const first = from === null ? 0 : sorted.findIndex(({ key }) => key >= from.key)
  if (sorted.length === 0 || first < 0) yield { items: [], cursor: null }
  else
    for (let at = first, place = from; at < sorted.length; ) {
      const part = sorted[at]!
      if (place?.key !== part.key) place = startOf(part.key)
      const page = await nextPage(host, part, place)
      place = page.place
      if (place === null) at += 1
      const rest = sorted[at]
      const next = place ?? (rest ? startOf(rest.key) : null)
      yield {
        items: await keepSelected(selection, page.items, ({ path }) => path),
        cursor: next && JSON.stringify(next),
      }
    }
}

const startOf = (key: string): Place => ({ key, next: null, pages: 0, restarts: 0 })

/** Returns the items behind a place, and the place behind them; null at the end of the part. */
async function nextPage(
  host: string,
  part: Part,
  place: Place,
): Promise<{ items: SourceItem[]; place: Place | null }> {
  if (place.pages >= MAX_PAGES) throw new AppError('unavailable', `${host} sends a list without an end.`)
  const mayRestart = place.next !== null && place.restarts < MAX_RESTARTS
  try {
    const { items, next } = await part.page(place.next, { mayRestart })
    if (next !== null && next === place.next) throw repeatedList(host)
    return { items, place: next === null ? null : { ...place, next, pages: place.pages + 1 } }
  } catch (error) {
    if (!(error instanceof ItemRefused || error instanceof ListChanged)) throw error
    if (!mayRestart) throw new AppError('unavailable', error.message)
    return nextPage(host, part, { ...place, next: null, restarts: place.restarts + 1 })
  }
}
