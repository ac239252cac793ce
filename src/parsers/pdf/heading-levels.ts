import type { Block, Context } from './block.ts'
import { isHeading, plain, rounded } from './headings.ts'

/** Sizes that differ by less than this fraction are equal. */
const SAME_SIZE = 0.06
/** Minimum ratio of the size of the document's title to that of the largest other heading. */
const LARGER_TITLE = 1.15
const DEEPEST = 6

/**
 * Returns the level of each heading. Level 1 is the title of the document; sections begin at 2. The first known source determines the
 * level: tags, the outline, the heading's number, numbered headings of the same style, the size.
 */
export function findHeadingLevels(blocks: Block[], context: Context): Map<Block, number> {
  const headings = blocks.filter((block) => !block.edge && block.paragraph && isHeading(block, context))
  const title = findTitle(headings)
  const sections = headings.filter((block) => block !== title)
  const byLook = depthsByLook(sections)
  const sizes = distinctSizes(sections.filter((block) => statedDepth(block, context) === null))
  const depthOf = (block: Block) => {
    const stated = statedDepth(block, context)
    return stated ?? byLook.get(lookOf(block)) ?? rankOf(block, sizes)
  }
  const tops = sections.filter(({ role }) => role?.level === 1).length
  const levels = new Map<Block, number>(title ? [[title, 1]] : [])
  for (const block of sections) {
    // If a single heading is tagged as level 1, it is the title, as on web pages. Tagged levels then stay unchanged.
    const isCounted = block.role?.level !== undefined && (tops === 1 || (tops === 0 && !title))
    levels.set(block, Math.min(DEEPEST, depthOf(block) + (isCounted ? 0 : 1)))
  }
  return levels
}

/** Returns the first heading if it is tagged as the title, or if it is on the first page and the largest; otherwise null. */
function findTitle(headings: Block[]): Block | null {
  const [first, ...others] = headings
  if (!first) return null
  if (first.role?.isTitle) return first
  if (first.role?.level || first.page > 1 || others.length < 2) return null
  const largest = Math.max(...others.map(sizeOf))
  return sizeOf(first) > LARGER_TITLE * largest ? first : null
}

/** Returns the level, from 1, by tag, outline or number; null if none of them is known. */
function statedDepth(block: Block, { outline }: Context): number | null {
  if (block.role?.level) return block.role.level
  const text = block.paragraph?.text ?? ''
  return outline.get(plain(text)) ?? numberDepth(text)
}

/** Returns the number of parts in the number of a heading: 2 for "1.2 Costs". Null without a number. */
function numberDepth(text: string): number | null {
  const number = /^\d{1,2}((?:[.-]\d{1,2})*)[.-]?\s/.exec(text)
  return number ? (number[1]?.split(/[.-]/).length ?? 1) : null
}

/** Returns the median depth of numbered headings, by style. */
function depthsByLook(sections: Block[]): Map<string, number> {
  const depths = new Map<string, number[]>()
  for (const block of sections) {
    const depth = numberDepth(block.paragraph?.text ?? '')
    if (depth !== null) depths.set(lookOf(block), [...(depths.get(lookOf(block)) ?? []), depth])
  }
  return new Map(
    [...depths].map(([look, list]) => [
      look,
      list.sort((a, b) => a - b)[Math.floor((list.length - 1) / 2)] as number,
    ]),
  )
}

/** Returns the distinct sizes, largest first. */
function distinctSizes(headings: Block[]): number[] {
  const sizes: number[] = []
  for (const size of headings.map(sizeOf).sort((a, b) => b - a))
    if (sizes.length === 0 || size < (1 - SAME_SIZE) * (sizes.at(-1) as number)) sizes.push(size)
  return sizes
}

function rankOf(block: Block, sizes: number[]): number {
  const at = sizes.findLastIndex((size) => sizeOf(block) <= size)
  return Math.max(1, at + 1)
}

const sizeOf = ({ paragraph }: Block) => paragraph?.size ?? 0
const lookOf = (block: Block) =>
  `${rounded(sizeOf(block))} ${block.style.bold > 0.5 ? 'bold' : block.style.italic > 0.5 ? 'italic' : ''}`
