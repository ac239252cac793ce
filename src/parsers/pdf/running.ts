import type { Block } from './block.ts'

/** Fraction of the page height, at the top and bottom, that may contain running headers and footers. */
const EDGE = 0.13
/** The same for page numbers. */
const NUMBER_EDGE = 0.1
const PAGES = 3
const NEAR = 0.015

/** Marks page numbers, and text that repeats at page edges, as headers and footers. */
export function markRunning(blocks: Block[]): void {
  const groups = Map.groupBy(blocks.filter(atEdge), (block) => `${atEdge(block)} ${signature(block)}`)
  for (const group of groups.values()) {
    for (const block of group) {
      const near = new Set(
        group.filter((other) => Math.abs(topOf(other) - topOf(block)) < NEAR).map(({ page }) => page),
      )
      if (near.size >= PAGES || isPageNumber(block)) block.edge = atEdge(block) as 'Header' | 'Footer'
    }
  }
}

function atEdge(block: Block): 'Header' | 'Footer' | null {
  if (!block.paragraph || block.turn !== 0 || block.paragraph.lines.length > 3) return null
  if (block.paragraph.bottom < EDGE * block.size.height) return 'Header'
  return block.paragraph.top > (1 - EDGE) * block.size.height ? 'Footer' : null
}

const topOf = (block: Block) => (block.paragraph?.top ?? 0) / block.size.height
const signature = (block: Block) =>
  block.paragraph?.text
    .replace(/\d+|\b[ivxlc]+\b/gi, '#')
    .replace(/\s+/g, ' ')
    .toLowerCase()

/** `3`, `- 3 -`, `Page 3 of 5`, `第3页 共5页`. */
const PAGE_NUMBERS = [
  /^[-–—\s]*(?:page|p\.|seite|s\.|páginas?|pág\.|pagina|pag\.|strona|str\.|strana|страница|стор(?:інка|\.)|стр\.|sid[ae]|sivu|oldal|sayfa|σελίδα|σελ\.)?\s?\d{1,4}(?:\s?(?:of|\/|sur|de|von|di|van|av|af|z|ze|из|з|od)\s?\d{1,4})?[-–—\s]*$/iu,
  /^第?\s?\d{1,4}\s?(?:页|頁|ページ|쪽|페이지)(?:[\s,，/]{0,3}共?\s?\d{1,4}\s?(?:页|頁|ページ|쪽|페이지)?)?$/u,
]

function isPageNumber({ paragraph, size }: Block): boolean {
  if (!paragraph || !PAGE_NUMBERS.some((one) => one.test(paragraph.text.trim()))) return false
  return paragraph.bottom < NUMBER_EDGE * size.height || paragraph.top > (1 - NUMBER_EDGE) * size.height
}
