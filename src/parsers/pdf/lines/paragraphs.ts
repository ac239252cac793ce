import { around, type Edges } from '../page/run.ts'
import { keepsHyphen } from '../text/hyphens.ts'
import type { Line } from './order.ts'

/** A paragraph, a heading or a list item. */
export type Paragraph = Edges & { lines: Line[]; text: string; size: number; isRightToLeft: boolean }

/** The beginning of a list item: a bullet, or a number or letter followed by a period or parenthesis. */
export const LIST_MARK =
  /^(?:[•●○▪▫■□◦‣⁃∙·►▶➢✓✔❖\uf0b7\uf0a7\uf0d8]|[-–—*](?=\s)|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)](?=\s))\s*/u

/** Joins the lines of one column into paragraphs. */
export function toParagraphs(column: Line[]): Paragraph[] {
  const right = Math.max(...column.map((line) => line.right))
  const left = Math.min(...column.map((line) => line.left))
  const pitch = usualPitch(column)
  const paragraphs: Line[][] = []
  for (const line of column) {
    const lines = paragraphs.at(-1)
    if (lines && goesOn(lines, line, { left, right, pitch })) lines.push(line)
    else paragraphs.push([line])
  }
  return paragraphs.map(toParagraph)
}

/** Returns the usual distance between the baselines of a column; 0 if it is unknown. */
function usualPitch(column: Line[]): number {
  const steps = column.slice(1).map((line, at) => line.baseline - (column[at] as Line).baseline)
  const usual = steps.filter(
    (step, at) => step > 0.5 * (column[at] as Line).size && step < 3 * (column[at] as Line).size,
  )
  usual.sort((a, b) => a - b)
  return usual[Math.floor(usual.length / 3)] ?? 0
}

function goesOn(lines: Line[], next: Line, column: { left: number; right: number; pitch: number }): boolean {
  const last = lines.at(-1) as Line
  const first = lines[0] as Line
  const step = next.baseline - last.baseline
  if (step <= 0 || Math.abs(next.size - last.size) > 0.12 * last.size) return false
  if (step > Math.max(1.25 * column.pitch, 1.15 * last.size)) return false
  if (changes(last, next) || changesDirection(last, next)) return false
  if (LIST_MARK.test(next.text) || last.segments.length > 1 || next.segments.length > 1) return false
  const isListItem = LIST_MARK.test(first.text)
  const indent = next.isRightToLeft ? last.right - next.right : next.left - last.left
  if (!isListItem && indent > 0.9 * next.size && lines.length > 1) return false
  return !endsEarly(last, next, column)
}

/** Returns whether a sentence ends a line in which the first word of the next line would have fit. */
function endsEarly(last: Line, next: Line, column: { left: number; right: number }): boolean {
  const room = last.isRightToLeft ? last.left - column.left : column.right - last.right
  const word = next.text.split(' ', 1)[0] ?? ''
  const width = ((next.right - next.left) / Math.max(1, next.text.length)) * (word.length + 1)
  return room > 1.5 * width + 2 * last.size && /[.!?:;。»”"]$/.test(last.text)
}

/** Returns the font style of a line; undefined if its runs differ or the fonts are unknown. */
function stressOf(line: Line): 'bold' | 'italic' | null | undefined {
  const runs = line.segments.flatMap((segment) => segment.runs)
  return runs.every(({ stress }) => stress === runs[0]?.stress) ? runs[0]?.stress : undefined
}

/** Returns whether a heading begins or ends between two lines: the font style or the tags change. */
function changes(last: Line, next: Line): boolean {
  const role = (line: Line) => line.segments[0]?.runs[0]?.role?.kind
  if (role(last) !== role(next) && (role(last) === 'heading' || role(next) === 'heading')) return true
  const [before, after] = [stressOf(last), stressOf(next)]
  return before !== after && (before === 'bold' || after === 'bold' || (before === 'italic' && isShort(last)))
}

/** Returns whether the direction or the right-to-left script changes between two lines. */
function changesDirection(last: Line, next: Line): boolean {
  const letters = (line: Line) => /\p{L}/u.test(line.text)
  if (!letters(last) || !letters(next)) return false
  if (last.isRightToLeft && next.isRightToLeft) return scriptOf(last) !== scriptOf(next)
  if (last.isRightToLeft === next.isRightToLeft) return false
  const side = last.isRightToLeft ? last.right - next.right : last.left - next.left
  return Math.abs(side) > next.size
}

const scriptOf = ({ text }: Line) => (/\p{Script=Hebrew}/u.test(text) ? 'Hebrew' : 'Arabic')

const isShort = ({ text }: Line) => text.length < 60 && !/[.,;:]$/.test(text)

function toParagraph(lines: Line[]): Paragraph {
  const first = lines[0] as Line
  return {
    ...around(lines),
    lines,
    text: joinLines(lines),
    size: first.size,
    isRightToLeft: first.isRightToLeft,
  }
}

/** Joins lines into one text, and the parts of words that are hyphenated at the end of a line. */
export function joinLines(lines: { text: string }[]): string {
  let text = ''
  for (const line of lines) {
    if (/\p{L}\u00ad$/u.test(text)) text = text.slice(0, -1) + line.text
    else if (/\p{Ll}[-\u2010]$/u.test(text) && /^\p{Ll}/u.test(line.text))
      text = (keepsHyphen(text, line.text) ? text : text.slice(0, -1)) + line.text
    else text += text === '' ? line.text : ` ${line.text}`
  }
  return text
}
