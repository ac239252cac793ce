import type { Element } from '../elements/port.ts'
import type { Block } from './block.ts'
import type { Paragraph } from './lines/paragraphs.ts'

/** Maximum difference between indents of the same level, in font sizes. */
const SAME = 0.6

/**
 * Returns a function that sets the level of list items by their indent, measured from the side where the line begins. Call it with all
 * blocks in order. Running headers and footers do not end a list.
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

/** Returns a number that grows with the indent. */
const startOf = ({ left, right, isRightToLeft }: Paragraph) => (isRightToLeft ? -right : left)

/** Returns whether both blocks are in one column. A list continues on the next page; a block above the previous one begins a column. */
function isInOneColumn(before: Block, { page, turn, paragraph }: Block): boolean {
  if (turn !== before.turn) return false
  return page !== before.page || (paragraph?.top ?? 0) >= (before.paragraph?.top ?? 0)
}
