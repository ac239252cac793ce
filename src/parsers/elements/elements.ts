import type { Cell, Element, Place } from './port.ts'
import { inlineMarkdown, plainText, type Run, tidyRuns } from './runs.ts'
import { tableMarkdown, tableText } from './table.ts'

type More = Pick<Element, 'place' | 'extra'>

/** Returns a paragraph, or a formula if all runs are formulas; null when the text is empty. */
export function paragraphOf(runs: Run[], more: More = {}): Element | null {
  const tidy = tidyRuns(runs)
  const text = plainText(tidy)
  if (!text) return null
  if (tidy.every(({ isFormula }) => isFormula)) return { type: 'Formula', text, ...more }
  return withMarkdown({ type: 'NarrativeText', text, ...more }, inlineMarkdown(tidy))
}

/** Returns a heading of level 1 to 6; null when the text is empty. */
export function titleOf(runs: Run[], level: number, more: More = {}): Element | null {
  const tidy = tidyRuns(runs.map(({ text, ...look }) => ({ ...look, text: text.replaceAll('\n', ' ') })))
  const text = plainText(tidy)
  if (!text) return null
  const bounded = Math.min(6, Math.max(1, level))
  // Headings are displayed in bold without marks.
  const markdown = inlineMarkdown(tidy.map((run) => ({ ...run, bold: false })))
  return { type: 'Title', text, level: bounded, markdown: `${'#'.repeat(bounded)} ${markdown}`, ...more }
}

/** Returns a list item; null when the text is empty. `marker` is its Markdown marker: `-`, `3.`, `- [x]`. */
export function listItemOf(runs: Run[], level: number, marker: string, more: More = {}): Element | null {
  const tidy = tidyRuns(runs)
  const text = plainText(tidy)
  if (!text) return null
  const markdown = `${marker} ${inlineMarkdown(tidy)}`
  return { type: 'ListItem', text, level, markdown, ...more }
}

export function tableOf(cells: Cell[], more: More = {}): Element | null {
  if (cells.every(({ text }) => text.trim() === '')) return null
  return { type: 'Table', text: tableText(cells), markdown: tableMarkdown(cells), cells, ...more }
}

export function codeOf(text: string, language?: string, place?: Place): Element | null {
  const trimmed = text.replace(/^\s*\n/, '').trimEnd()
  if (!trimmed) return null
  const element: Element = { type: 'CodeSnippet', text: trimmed, ...(place && { place }) }
  return language ? { ...element, extra: { language } } : element
}

function withMarkdown(element: Element, markdown: string): Element {
  return markdown === element.text ? element : { ...element, markdown }
}
