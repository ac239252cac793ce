import type { Element } from '../elements/port.ts'
import type { Block } from './block.ts'
import type { Note } from './page/read-notes.ts'
import { boxOf, type Edges, type Size } from './page/run.ts'

export type PageNotes = { page: number; size: Size; notes: Note[] }

/** Inserts form values after the text next to them, and annotations after the text they cover. */
export function placeNotes(blocks: Block[], pages: PageNotes[]): Block[] {
  if (pages.length === 0) return blocks
  const behind = new Map<Block | null, Block[]>()
  for (const { page, size, notes } of pages) {
    const onPage = blocks.filter((block) => block.page === page)
    // The notes of a page without text follow the last block before it.
    const last = blocks.findLast((block) => block.page <= page) ?? null
    for (const note of notes) {
      const target = nearest(note, onPage) ?? last
      behind.set(target, [...(behind.get(target) ?? []), blockOf(note, page, size)])
    }
  }
  return [...(behind.get(null) ?? []), ...blocks.flatMap((block) => [block, ...(behind.get(block) ?? [])])]
}

/** Returns a note as an element, with the author in front of its text. */
export function noteElement({ page, note }: Block & { note: Note }): Element {
  const { text, box, kind, author } = note
  return {
    type: 'NarrativeText',
    text: author ? `${author}: ${text}` : text,
    place: { boxes: [{ page, box }] },
    extra: { [kind]: true, ...(author ? { author } : {}) },
  }
}

const blockOf = (note: Note, page: number, size: Size): Block => ({
  page,
  size,
  turn: 0,
  note,
  style: { bold: 0, italic: 0, fixed: 0, math: 0 },
})

/** Returns the block closest to a note, preferably to the left or above; null if the page has no text. */
function nearest({ box }: Note, blocks: Block[]): Block | null {
  let best: Block | null = null
  let least = Number.POSITIVE_INFINITY
  for (const block of blocks) {
    const edges = block.paragraph ?? block.table ?? block.picture
    const area = edges ? boxOf(edges as Edges, block.turn, block.size) : block.scanned?.box
    if (!area) continue
    const [left, top, right, bottom] = area
    const middle = (box[1] + box[3]) / 2
    const down = middle < top ? 2 * (top - middle) + 0.05 : Math.max(0, middle - bottom)
    const across = Math.max(0, box[0] - right) * 0.2 + Math.max(0, left - box[2])
    if (down + across < least) {
      least = down + across
      best = block
    }
  }
  return best
}
