import type { Element, Job } from '../elements/port.ts'
import { readSax, type XmlNode } from '../xml/sax.ts'
import type { Package } from './package.ts'

/** Types of relations to parts whose text a person sees. */
const TEXT_PARTS = new Set([
  ...['header', 'footer', 'footnotes', 'endnotes', 'comments', 'threadedComment'],
  ...['slide', 'notesSlide', 'chart', 'diagramData', 'drawing', 'worksheet', 'chartsheet'],
])
/**
 * Deleted text, copies of text for older programs, and fields that are computed. Formulas are rewritten when they are read,
 * and cells are formatted.
 */
const SKIPPED = new Set(['mc:Fallback', 'w:del', 'w:moveFrom', 'm:oMath', 'sheetData', 'a:fld'])
const TEXTS = new Set(['w:t', 'a:t', 't', 'text', 'p:text'])
/** Elements that separate words. */
const BREAKS = new Set(['w:p', 'a:p', 'w:tab', 'w:br', 'w:cr', 'a:br', 'comment', 'threadedComment', 'p:cm'])
const CELLS = new Set(['w:tc', 'a:tc'])
const WORD = /[\p{L}\p{N}]+/gu
const MAX_NAMED = 5

/**
 * Compares the words in the parts of a package with those of its elements, and reports and warns of missing ones. A running
 * title is read once, so its words only have to occur.
 */
export async function compareLetters(job: Job, file: Package, elements: readonly Element[]): Promise<void> {
  const read = countWords(elements.map(({ text }) => text).join('\n'))
  const known = new Set(read.keys())
  let [drawn, missing] = [0, 0]
  const words: string[] = []
  for (const { part, isRunningTitle } of await textParts(file)) {
    for (const word of (await textOfPart(file, part)).match(WORD) ?? []) {
      const left = read.get(word) ?? 0
      read.set(word, left - 1)
      drawn += word.length
      if (left > 0 || (isRunningTitle && known.has(word))) continue
      missing += word.length
      words.push(word)
    }
  }
  if (drawn > 0) job.compared({ drawn, missing })
  const examples = words.slice(0, MAX_NAMED).join(' ') + (words.length > MAX_NAMED ? ' …' : '')
  if (missing > 0) job.warn({ code: 'words_missing', values: { count: words.length, words: examples } })
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of text.match(WORD) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Returns the parts with text that the main part refers to, directly or through others. */
async function textParts(file: Package): Promise<{ part: string; isRunningTitle: boolean }[]> {
  const found = new Map([[file.main, '']])
  for (const part of found.keys()) {
    const relations = [...(await file.relations(part)).values()]
    const hasThreads = relations.some(({ type }) => type === 'threadedComment')
    for (const { type, target, isExternal } of relations) {
      // The comments of a thread are repeated for older versions of Excel.
      if (isExternal || (hasThreads && type === 'comments')) continue
      if (TEXT_PARTS.has(type) && file.zip.has(target) && !found.has(target)) found.set(target, type)
    }
  }
  return [...found].map(([part, type]) => ({ part, isRunningTitle: type === 'header' || type === 'footer' }))
}

async function textOfPart(file: Package, part: string): Promise<string> {
  const source = await file.zip.stream(part)
  if (!source) return ''
  const texts: string[] = []
  /** For each open cell of a table, whether another cell covers it. */
  const covered: boolean[] = []
  let [skipped, texting] = [0, 0]
  await readSax(source, {
    open: (node) => {
      if (SKIPPED.has(node.name)) skipped += 1
      if (TEXTS.has(node.name)) texting += 1
      if (BREAKS.has(node.name)) texts.push('\n')
      if (CELLS.has(node.name)) covered.push(isCovered(node))
      if (node.name === 'w:vMerge' && node.attributes['w:val'] !== 'restart')
        covered[covered.length - 1] = true
    },
    text: (text) => {
      if (texting > 0 && skipped === 0 && !covered.includes(true)) texts.push(text)
    },
    close: (path) => {
      const name = path.at(-1) ?? ''
      if (SKIPPED.has(name)) skipped -= 1
      if (TEXTS.has(name)) texting -= 1
      if (CELLS.has(name)) covered.pop()
      if (BREAKS.has(name)) texts.push('\n')
    },
    pause: () => true,
  })
  return texts.join('')
}

const isCovered = ({ attributes: { hMerge, vMerge } }: XmlNode) =>
  [hMerge, vMerge].some((one) => /^(1|true)$/.test(one ?? ''))
