import type { Frame } from './shapes.ts'

/**
 * The things on a slide in reading order: columns from left to right if nothing spans two of them, else bands from top to
 * bottom, and overlapping things in the order of the file.
 */
export function readingOrder<T>(things: T[], frameOf: (thing: T) => Frame | null): T[] {
  const placed = things.flatMap((thing) => {
    const frame = frameOf(thing)
    return frame ? [{ thing, frame }] : []
  })
  const rest = things.filter((thing) => frameOf(thing) === null)
  return [...ordered(placed).map(({ thing }) => thing), ...rest]
}

function ordered<T extends { frame: Frame }>(things: T[]): T[] {
  if (things.length < 2) return things
  const columns = cut(things, ({ frame }) => [frame.x, frame.x + frame.width])
  if (columns.length > 1) return columns.flatMap(ordered)
  const bands = cut(things, ({ frame }) => [frame.y, frame.y + frame.height])
  return bands.length > 1 ? bands.flatMap(ordered) : things
}

/** Groups separated by free space. Edges may overlap a little, because frames are drawn by hand. */
function cut<T>(things: T[], span: (thing: T) => [start: number, end: number]): T[][] {
  const sorted = things
    .map((thing, at) => ({ thing, at, span: span(thing) }))
    .sort((a, b) => a.span[0] - b.span[0])
  const groups: (typeof sorted)[] = []
  let end = Number.NEGATIVE_INFINITY
  for (const one of sorted) {
    const slack = Math.min(one.span[1] - one.span[0], end - (groups.at(-1)?.[0]?.span[0] ?? 0)) * 0.1
    if (one.span[0] >= end - Math.max(0, slack)) groups.push([one])
    else groups.at(-1)?.push(one)
    end = Math.max(end, one.span[1])
  }
  return groups.map((group) => group.sort((a, b) => a.at - b.at).map(({ thing }) => thing))
}
