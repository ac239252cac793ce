import type { Element } from '../elements/port.ts'
import type { Block } from './block.ts'
import type { Paragraph } from './lines/paragraphs.ts'

/** Items set in by less than this stand at the same depth, in heights of the letters. */
const SAME = 0.6

/**
 * Gives items of a list their depth by how far each is set in, from the side where its language begins. Give it all blocks in order; what
 * stands at the edges of pages parts no list.
 */
export function createNesting(): (block: Block, element: Element) => Element {
  let before: Block | null = null
  let starts: number[] = []
  return (block, element) => {
    if (block.edge) return element
    const { paragraph } = block
    if (element.type !== 'ListItem' || !paragraph) {
      before = null
      return element
    }
    if (!before || !isInOneColumn(before, block)) starts = []
    before = block
    const start = startOf(paragraph)
    const near = SAME * paragraph.size
    while (starts.length > 0 && (starts.at(-1) as number) > start + near) starts.pop()
    if (starts.length === 0 || start > (starts.at(-1) as number) + near) starts.push(start)
    return { ...element, level: starts.length - 1 }
  }
}

/** Grows the further in a paragraph stands. */
const startOf = ({ left, right, isRightToLeft }: Paragraph) => (isRightToLeft ? -right : left)

/** On the next page a list goes on as it stood; above what came before begins another column. */
function isInOneColumn(before: Block, { page, turn, paragraph }: Block): boolean {
  if (turn !== before.turn) return false
  return page !== before.page || (paragraph?.top ?? 0) >= (before.paragraph?.top ?? 0)
}
