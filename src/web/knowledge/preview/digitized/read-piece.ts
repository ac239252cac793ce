import type { List, RootContent } from 'mdast'
import { convertBlocks, convertFootnotes, startConversion } from '#shared/platform/markdown/convert.ts'
import { findHardLines } from '#shared/platform/markdown/hard-lines.ts'
import { parseSource } from '#shared/platform/markdown/parse.ts'
import type { Block } from '#shared/platform/markdown/tree.ts'
import type { Piece } from './pieces.ts'

/** Start and end in UTF-16 units of the whole document; the end is excluded. */
export type Span = readonly [from: number, to: number]
/** Consecutive blocks that are all inside or all outside the passage. */
export type Run = { isPassage: boolean; blocks: Block[] }

/** Parses a piece into blocks, with those of a passage separate. Only matching items of a list are part of it. */
export function readPiece({ start, text, prefix }: Piece, definitions: string, passage: Span | null): Run[] {
  const source = `${prefix}${text}\n\n${definitions}`
  const end = prefix.length + text.length
  if (findHardLines(source))
    return runsOf([
      { isPassage: overlaps([start, start + text.length], passage), blocks: [{ type: 'plain', text }] },
    ])
  const nodes = parseSource(source).children
  const conversion = startConversion(source, nodes, [])
  const isIn = (node: RootContent) => overlaps(spanOf(node, start - prefix.length), passage)
  const runs = nodes
    .filter((node) => (node.position?.start.offset ?? 0) < end)
    .flatMap((node) => (node.type === 'list' && isIn(node) ? splitList(node, isIn) : [node]))
    .map((node) => ({ isPassage: isIn(node), blocks: convertBlocks([node], conversion) }))
  return runsOf([...runs, { isPassage: false, blocks: convertFootnotes(conversion) }])
}

const overlaps = ([from, to]: Span, passage: Span | null) =>
  passage !== null && from < passage[1] && to > passage[0]

function spanOf({ position }: RootContent, shift: number): Span {
  return [(position?.start.offset ?? 0) + shift, (position?.end.offset ?? 0) + shift]
}

/** Splits a list into those before, in and after a passage; numbering continues. */
function splitList(list: List, isIn: (node: RootContent) => boolean): List[] {
  const lists: List[] = []
  for (const [at, item] of list.children.entries()) {
    const last = lists.at(-1)
    if (last && isIn(last.children[0]!) === isIn(item)) last.children.push(item)
    else lists.push({ ...list, start: (list.start ?? 1) + at, children: [item] })
  }
  return lists.map((one) => ({ ...one, position: positionOf(one) }))
}

function positionOf({ children }: List): NonNullable<List['position']> {
  return { start: children[0]!.position!.start, end: children.at(-1)!.position!.end }
}

/** Merges adjacent runs of the same kind. */
function runsOf(runs: Run[]): Run[] {
  const joined: Run[] = []
  for (const run of runs.filter(({ blocks }) => blocks.length > 0)) {
    const last = joined.at(-1)
    if (last?.isPassage === run.isPassage) last.blocks.push(...run.blocks)
    else joined.push({ ...run })
  }
  return joined
}
