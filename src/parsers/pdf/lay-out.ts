import { type Segment, toSegments } from './lines/lines.ts'
import { type Line, orderLines } from './lines/order.ts'
import type { Table } from './lines/page-table.ts'
import { type Paragraph, toParagraphs } from './lines/paragraphs.ts'
import type { Rule } from './page/read-graphics.ts'
import { around, type Picture, type Run } from './page/run.ts'
import { fillGrid } from './tables/grid-table.ts'
import { findGrids } from './tables/lattice.ts'
import { findStreamTables, isTable } from './tables/stream.ts'

export type Part = Paragraph | Table | Picture

/** Returns the paragraphs, tables and pictures of a page in reading order. All text has the same rotation. */
export function layOut(runs: Run[], rules: Rule[], pictures: Picture[]): Part[] {
  const grids = findGrids(rules).flatMap((grid) => fillGrid(grid, runs) ?? [])
  const taken = new Set(grids.flatMap((table) => table.runs))
  const free = toSegments(runs.filter((run) => !taken.has(run)))
  const wide = findStreamTables(rowsOf([...free, ...grids.map(standIn)]), rules, true)
  const sure = wide.filter(isTable)
  const inSure = new Set(sure.flatMap((table) => table.runs))
  const rest = free.filter((segment) => !segment.runs.some((run) => inSure.has(run)))
  const columns = orderLines([...rest, ...[...grids, ...sure].map(standIn)])
  return withPictures(
    columns.flatMap((column) => readColumn(column, rules)),
    pictures,
  )
}

/** Inserts each picture before the part below it, usually its caption. */
function withPictures(parts: Part[], pictures: Picture[]): Part[] {
  const result = [...parts]
  for (const picture of pictures) {
    const middle = (picture.top + picture.bottom) / 2
    const at = result.findIndex(
      (one) => one.top > middle && one.left < picture.right && one.right > picture.left,
    )
    result.splice(at < 0 ? result.length : at, 0, picture)
  }
  return result
}

/** Returns the paragraphs of a page without detecting tables. */
export function layOutText(runs: Run[]): Paragraph[] {
  return orderLines(toSegments(runs)).flatMap(toParagraphs)
}

/** Returns an empty segment that represents a table while the reading order is determined. */
function standIn(table: Table): Segment {
  const { left, top, right, bottom } = table
  return {
    left,
    top,
    right,
    bottom,
    runs: [],
    text: '',
    size: 10,
    baseline: bottom,
    isRightToLeft: false,
    table,
  }
}

/** Returns rows across the full width of the page, without columns. */
function rowsOf(segments: Segment[]): Line[] {
  return orderLines(segments, undefined, Number.POSITIVE_INFINITY).flat()
}

function readColumn(column: Line[], rules: Rule[]): Part[] {
  const result: Part[] = []
  let lines: Line[] = []
  const close = () => {
    if (lines.length > 0) result.push(...toParagraphs(lines))
    lines = []
  }
  for (const one of findStreamTables(column, rules)) {
    const tables = isTable(one) ? [one] : one.segments.flatMap(({ table }) => table ?? [])
    if (!isTable(one) && one.segments.some(({ table }) => !table)) {
      const segments = one.segments.filter(({ table }) => !table)
      lines.push({ ...one, ...around(segments), segments })
    }
    if (tables.length === 0) continue
    close()
    result.push(...tables)
  }
  close()
  return result
}
