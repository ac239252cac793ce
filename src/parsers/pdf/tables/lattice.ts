import type { Rule } from '../page/read-graphics.ts'
import { around, type Edges } from '../page/run.ts'

/** The ruled cells of a table, with their positions. Cells may span rows and columns. */
export type Grid = Edges & {
  rows: number
  columns: number
  cells: GridCell[]
  /** True if no line closes the last row, so that it may continue on the next page. */
  isOpen?: true
}
export type GridCell = Edges & { row: number; column: number; rowSpan: number; columnSpan: number }

/** Lines within this distance, in points, coincide or touch. */
const NEAR = 3

/**
 * Finds tables in the lines of a page: groups of lines that cross and enclose at least two cells. Edges of coloured areas only count
 * where no lines are drawn; elsewhere the areas are backgrounds of cells.
 */
export function findGrids(rules: Rule[]): Grid[] {
  const drawn = gridsOf(rules.filter(({ isEdge }) => !isEdge)).filter(
    ({ rows, columns }) => rows > 1 && columns > 1,
  )
  if (!rules.some(({ isEdge }) => isEdge)) return drawn
  const isApart = (grid: Grid) => drawn.every((one) => !overlap(one, grid))
  return [...drawn, ...gridsOf(rules).filter(isApart)]
}

function gridsOf(rules: Rule[]): Grid[] {
  const guessed = closeRows(rules)
  return groupsOf(mergeRules([...rules, ...guessed])).flatMap((group) => {
    const grid = toGrid(group)
    if (!grid) return []
    return guessed.some(({ at }) => Math.abs(at - grid.bottom) <= NEAR)
      ? { ...grid, isOpen: true as const }
      : grid
  })
}

/** Pages with more vertical lines than this show a drawing. */
const MAX_UPRIGHTS = 2000

/** Returns the missing horizontal lines where all vertical lines begin or end: the edge of a row, or of a table cut by a page break. */
function closeRows(rules: Rule[]): Rule[] {
  const [uprights, across] = [
    rules.filter((rule) => !rule.isHorizontal),
    rules.filter((rule) => rule.isHorizontal),
  ]
  if (uprights.length > MAX_UPRIGHTS) return []
  const heights = Map.groupBy(
    uprights.flatMap((rule) => [rule.from, rule.to].map((end) => ({ end, rule }))),
    ({ end }) => Math.round(end / NEAR),
  )
  return [...heights.values()].flatMap((ends) => {
    const xs = new Set(ends.map(({ rule }) => Math.round(rule.at)))
    const at = (ends[0] as { end: number }).end
    const [from, to] = [Math.min(...xs), Math.max(...xs)]
    const isDrawnThere = across.some(
      (rule) => Math.abs(rule.at - at) <= 2 * NEAR && rule.from < to && rule.to > from,
    )
    const isCrossed = uprights.some(
      (rule) => rule.at >= from && rule.at <= to && rule.from < at - NEAR && rule.to > at + NEAR,
    )
    return xs.size < 3 || isDrawnThere || isCrossed ? [] : [{ isHorizontal: true, at, from, to }]
  })
}

const overlap = (a: Edges, b: Edges) =>
  a.left < b.right - NEAR && b.left < a.right - NEAR && a.top < b.bottom - NEAR && b.top < a.bottom - NEAR

/** Merges collinear lines that touch or overlap. */
export function mergeRules(rules: Rule[]): Rule[] {
  const merged: Rule[] = []
  for (const rule of [...rules].sort(
    (a, b) => Number(a.isHorizontal) - Number(b.isHorizontal) || a.at - b.at || a.from - b.from,
  )) {
    const same = merged.findLast(
      (one) =>
        one.isHorizontal === rule.isHorizontal &&
        Math.abs(one.at - rule.at) < NEAR / 2 &&
        one.from <= rule.to + NEAR &&
        rule.from <= one.to + NEAR,
    )
    if (same) {
      same.from = Math.min(same.from, rule.from)
      same.to = Math.max(same.to, rule.to)
    } else merged.push({ ...rule })
  }
  return merged.filter((rule) => rule.to - rule.from > NEAR)
}

function groupsOf(lines: Rule[]): Rule[][] {
  const across = lines.filter(({ isHorizontal }) => isHorizontal)
  const groups: Rule[][] = []
  const groupOf = new Map<Rule, Rule[]>()
  for (const line of lines) groupOf.set(line, [line])
  for (const upright of lines) {
    if (upright.isHorizontal) continue
    for (const line of across) {
      const a = groupOf.get(upright) as Rule[]
      const b = groupOf.get(line) as Rule[]
      if (a === b || !cross(upright, line)) continue
      for (const one of b) groupOf.set(one, a)
      a.push(...b)
    }
  }
  for (const group of new Set(groupOf.values())) if (group.length >= 4) groups.push(group)
  return groups
}

function cross(upright: Rule, line: Rule): boolean {
  return (
    line.from - NEAR <= upright.at &&
    upright.at <= line.to + NEAR &&
    upright.from - NEAR <= line.at &&
    line.at <= upright.to + NEAR
  )
}

function toGrid(group: Rule[]): Grid | null {
  const xs = positions(group.filter(({ isHorizontal }) => !isHorizontal))
  const ys = positions(group.filter(({ isHorizontal }) => isHorizontal))
  const [columns, rows] = [xs.length - 1, ys.length - 1]
  if (columns < 1 || rows < 1 || columns * rows < 2 || columns * rows > 20_000) return null
  const cells = mergeOpen(xs, ys, group)
  if (cells.length < 2) return null
  return { ...around(cells), rows, columns, cells }
}

function positions(lines: Rule[]): number[] {
  const found: number[] = []
  for (const { at } of [...lines].sort((a, b) => a.at - b.at))
    if (found.length === 0 || at - (found.at(-1) as number) > NEAR) found.push(at)
  return found
}

/** Merges cells without a line between them. */
function mergeOpen(xs: number[], ys: number[], group: Rule[]): GridCell[] {
  const [columns, rows] = [xs.length - 1, ys.length - 1]
  const owner = Array.from({ length: columns * rows }, (_, at) => at)
  const find = (at: number): number => {
    let top = at
    while (owner[top] !== top) top = owner[top] as number
    return top
  }
  const x = (at: number) => xs[at] as number
  const y = (at: number) => ys[at] as number
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column
      const isOpenRight = column + 1 < columns && !isDrawn(group, false, x(column + 1), y(row), y(row + 1))
      const isOpenBelow = row + 1 < rows && !isDrawn(group, true, y(row + 1), x(column), x(column + 1))
      if (isOpenRight) owner[find(at + 1)] = find(at)
      if (isOpenBelow) owner[find(at + columns)] = find(at)
    }
  }
  const members = Map.groupBy(owner.keys(), find)
  return [...members.values()]
    .flatMap((list) => rectangles(list, columns))
    .map((list) => {
      const row = Math.min(...list.map((at) => Math.floor(at / columns)))
      const column = Math.min(...list.map((at) => at % columns))
      const rowSpan = Math.max(...list.map((at) => Math.floor(at / columns))) - row + 1
      const columnSpan = Math.max(...list.map((at) => at % columns)) - column + 1
      return {
        row,
        column,
        rowSpan,
        columnSpan,
        left: x(column),
        right: x(column + columnSpan),
        top: y(row),
        bottom: y(row + rowSpan),
      }
    })
}

/** Splits shapes that are not rectangles, such as a frame around boxes, by rows. */
function rectangles(members: number[], columns: number): number[][] {
  const rows = [...Map.groupBy(members, (at) => Math.floor(at / columns)).values()]
  const first = rows[0]?.map((at) => at % columns).join()
  if (rows.every((row) => row.map((at) => at % columns).join() === first)) return [members]
  return rows.flatMap((row) => {
    const parts: number[][] = []
    for (const at of row) {
      if (parts.at(-1)?.at(-1) === at - 1) parts.at(-1)?.push(at)
      else parts.push([at])
    }
    return parts
  })
}

function isDrawn(group: Rule[], isHorizontal: boolean, at: number, from: number, to: number): boolean {
  const covered = group.reduce((sum, rule) => {
    if (rule.isHorizontal !== isHorizontal || Math.abs(rule.at - at) > NEAR) return sum
    return sum + Math.max(0, Math.min(rule.to, to) - Math.max(rule.from, from))
  }, 0)
  return covered >= 0.5 * (to - from)
}
