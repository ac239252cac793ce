import type { Run } from '../elements/runs.ts'
import { attribute, findElements, type HastElement, textBelow } from './hast.ts'

type Look = Omit<Run, 'text'>

const marks: Record<string, Look> = {
  ...Object.fromEntries(['b', 'strong'].map((tag) => [tag, { bold: true }])),
  ...Object.fromEntries(['i', 'em', 'cite', 'dfn', 'var'].map((tag) => [tag, { italic: true }])),
  ...Object.fromEntries(['s', 'del', 'strike'].map((tag) => [tag, { struck: true }])),
  ...Object.fromEntries(['code', 'kbd', 'samp', 'tt'].map((tag) => [tag, { code: true }])),
}

/** The style of text inside an element, given the style around it. */
export function lookInside(node: HastElement, look: Look): Look {
  const link = node.tagName === 'a' ? safeLink(attribute(node, 'href')) : undefined
  return { ...look, ...marks[node.tagName], ...(link && { link }) }
}

/** Runs of elements that are replaced by text: pictures, formulas, ticked boxes. Null for all others. */
export function replaced(node: HastElement, look: Look): Run[] | null {
  if (node.tagName === 'br') return [{ ...look, text: '\n' }]
  if (node.tagName === 'wbr' || node.tagName === 'rp') return []
  if (node.tagName === 'rt') return readingOf(node, look)
  if (node.tagName === 'img') return [{ ...look, text: attribute(node, 'alt') }]
  return node.tagName === 'math' ? [formulaOf(node)] : null
}

/** The pronunciation of a word follows it in brackets. */
function readingOf(node: HastElement, look: Look): Run[] {
  const text = textBelow(node).replace(/\s+/g, ' ').trim()
  return text ? [{ ...look, text: `（${text}）` }] : []
}

function formulaOf(math: HastElement): Run {
  const tex = findElements(
    math,
    ({ tagName, properties }) => tagName === 'annotation' && String(properties.encoding).includes('tex'),
  )[0]
  const written = tex ? textBelow(tex).trim() : attribute(math, 'alttext')
  return written ? { text: written, isFormula: true } : { text: textBelow(math).replace(/\s+/g, ' ') }
}

/** Links with a target; never one that runs code. Browsers ignore control characters in an address. */
export function safeLink(href: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes them
  const link = href.replace(/[\u0000-\u001f\u007f-\u009f]/g, '').trim()
  if (!link || /^(?!https?:|mailto:|tel:|ftp:)[a-z][a-z0-9+.-]*:/i.test(link)) return undefined
  return link
}
