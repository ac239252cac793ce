import { AppError } from '#shared/platform/errors.ts'

/** Pages of one list. A source whose cursors have no end stops there. */
const MAX_PAGES = 10_000

export const repeatedList = (host: string): AppError =>
  new AppError('unavailable', `${host} repeats a part of its list.`)

/** A list that ends before its end must not look complete: its other items would disappear. */
export const unfinishedList = (host: string): AppError =>
  new AppError('unavailable', `${host} does not continue its list.`)

/** Returns a function that returns each cursor of a list as it is given. It throws AppError `unavailable` for one that it has seen. */
export function guardCursors(host: string): (cursor: string | undefined) => string | undefined {
  const seen = new Set<string>()
  return (cursor) => {
    if (cursor === undefined) return undefined
    if (seen.has(cursor) || seen.size >= MAX_PAGES) throw repeatedList(host)
    seen.add(cursor)
    return cursor
  }
}
