import type { Block, Inline } from './tree.ts'

export type Direction = 'ltr' | 'rtl'

const rtlLetter =
  /[\u200f\p{sc=Adlam}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Mandaic}\p{sc=Nko}\p{sc=Samaritan}\p{sc=Syriac}\p{sc=Thaana}]/u
const strong = /[\p{L}\u200e\u200f]/u

/** Returns the direction of the first letter, as `dir="auto"` finds it; null for a text without letters. */
export function directionOf(text: string): Direction | null {
  const first = strong.exec(text)?.[0]
  if (first === undefined) return null
  return rtlLetter.test(first) ? 'rtl' : 'ltr'
}

/** Returns the direction of inline content. Code, formulas and pictures are skipped. */
export function directionOfInlines(nodes: readonly Inline[]): Direction | null {
  for (const node of nodes) {
    const found =
      node.type === 'text'
        ? directionOf(node.text)
        : 'children' in node
          ? directionOfInlines(node.children)
          : null
    if (found) return found
  }
  return null
}

/** Returns the direction of the first block that has one. Code and formulas are skipped. */
export function directionOfBlocks(blocks: readonly Block[]): Direction | null {
  for (const block of blocks) {
    const found = directionOfBlock(block)
    if (found) return found
  }
  return null
}

/** Returns the direction of a block: of its own text, its items, or its cells. */
export function directionOfBlock(block: Block): Direction | null {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return directionOfInlines(block.children)
    case 'quote':
      return directionOfBlocks(block.children)
    case 'list':
    case 'footnotes':
      return directionOfBlocks(block.items.flatMap(({ children }) => children))
    case 'table':
      return directionOfInlines([block.head, ...block.rows.slice(0, 20)].flat(2))
    case 'html':
    case 'plain':
      return directionOf(block.text)
    case 'code':
    case 'math':
    case 'rule':
      return null
    default:
      return block satisfies never
  }
}

/** Splits a text of direction `base` into runs of one direction. Neutral signs go with equal neighbours, else with `base`. */
export function splitDirections(text: string, base: Direction | null): { text: string; isRtl: boolean }[] {
  const isBase = base === 'rtl'
  const runs: { text: string; isRtl: boolean }[] = []
  const add = (part: string, isRtl: boolean) => {
    const last = runs.at(-1)
    if (part === '') return
    if (last?.isRtl === isRtl) last.text += part
    else runs.push({ text: part, isRtl })
  }
  let before = isBase
  let neutral = ''
  for (const sign of text) {
    const direction = directionOf(sign)
    if (direction === null) {
      neutral += sign
      continue
    }
    const isRtl = direction === 'rtl'
    add(neutral, before === isRtl ? isRtl : isBase)
    add(sign, isRtl)
    neutral = ''
    before = isRtl
  }
  add(neutral, isBase)
  return runs
}
