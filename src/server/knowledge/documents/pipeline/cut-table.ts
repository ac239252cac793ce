import { parseRange, rangeName } from '#shared/knowledge/documents/ranges.ts'
import type { Place } from '#shared/platform/place.ts'

/** A head longer than this share of a portion is not repeated. */
const MAX_HEAD_SHARE = 0.25

/**
 * Cuts a table between its rows into texts of at most `most` characters. Each starts with the head and has the place of its own rows.
 * `rowPages` lists the number of rows in each box of the place, as the parser counted them: `12 30 4`.
 */
export function cutTable(
  { text, place, rowPages }: { text: string; place: Place; rowPages?: string | undefined },
  most: number,
): { text: string; place: Place }[] {
  const rows = text.split('\n')
  const [head = ''] = rows
  const isRepeated = rows.length > 1 && head.trim() !== '' && head.length <= most * MAX_HEAD_SHARE
  const room = isRepeated ? most - head.length - 1 : most
  const portions: { from: number; to: number; text: string }[] = []
  for (const [at, row] of rows.entries()) {
    for (let from = 0; from === 0 || from < row.length; from += room) {
      const part = row.slice(from, from + room)
      const last = portions.at(-1)
      const limit = last && last.from === 0 ? most : room
      if (last && last.text.length + part.length + 1 <= limit) {
        last.text += `\n${part}`
        last.to = at + 1
      } else portions.push({ from: at, to: at + 1, text: part })
    }
  }
  return portions.map(({ from, to, text: own }) => ({
    text: isRepeated && from > 0 ? `${head}\n${own}` : own,
    place: { ...place, ...boxesOf(place, rowPages, from, to), ...rangeOf(place, rows.length, from, to) },
  }))
}

function boxesOf({ boxes = [] }: Place, rowPages: string | undefined, from: number, to: number): Place {
  const counts = (rowPages ?? '').split(' ').filter(Boolean).map(Number)
  if (counts.length < 2 || counts.length !== boxes.length) return {}
  let first = 0
  const own = boxes.filter((_, at) => {
    const begin = first
    first += counts[at] ?? 0
    return begin < to && first > from
  })
  return own[0] ? { boxes: own, page: own[0].page } : {}
}

/** Returns the range of the sheet that a portion covers. */
function rangeOf({ range }: Place, rows: number, from: number, to: number): Place {
  const area = range === undefined ? null : parseRange(range)
  if (!area || area.rows !== rows) return {}
  return { range: rangeName({ ...area, row: area.row + from, rows: to - from }) }
}
