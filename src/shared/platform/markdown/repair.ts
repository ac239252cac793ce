import type remend from 'remend'
import { holdBackCitation } from './citation-syntax.ts'

let closeMarks: typeof remend | null = null

/** Loads the library that closes open marks. Until then `repairTail` leaves them as they are written. */
export async function loadRepair(): Promise<void> {
  closeMarks ??= (await import('remend')).default
}

/**
 * Repairs the end of a growing text for display: closes open emphasis, code and links, and holds back
 * an open formula or incomplete citation. Never used on a finished text.
 */
export function repairTail(tail: string): string {
  const shown = holdBackCitation(tail)
  return holdBackMath(closeMarks?.(shown, options) ?? shown)
}

const options = {
  katex: false,
  comparisonOperators: false,
  singleTilde: false,
  linkMode: 'text-only',
  images: true,
} as const

/** Cuts the text before an unclosed formula in its last paragraph. */
function holdBackMath(text: string): string {
  const start = text.lastIndexOf('\n\n') + 1
  const last = text.slice(start)
  const opened = Math.max(last.lastIndexOf('\\('), last.lastIndexOf('\\['))
  if (opened < 0) return text
  const close = last[opened + 1] === '(' ? '\\)' : '\\]'
  const isClosed = last.indexOf(close, opened + 2) >= 0
  const standsAlone = last[opened + 1] === '[' && /(^|\n)[ \t]*$/.test(last.slice(0, opened))
  const isInCode = (last.slice(0, opened).split('`').length - 1) % 2 === 1
  return isClosed || standsAlone || isInCode ? text : text.slice(0, start + opened)
}
