import { blankCode, countTicks } from './code-spans.ts'
import { BARE_COMMENTARY, CALL_MARKS } from './written-calls.ts'

/** The character before a text, and the number of backticks before it. */
type Before = { previous: string; ticks: number }

/** Returns the place of the first mark of a call outside of code; -1 without one. */
export function findMark(text: string, { previous, ticks }: Before): number {
  const plain = blankCode(text, ticks)
  const places = CALL_MARKS.map((mark) => {
    const given = mark.startsWith('`') ? text : plain
    const at = given.indexOf(mark)
    return at >= 0 && mayBegin(given, at, previous) && isPlain(mark, text, at, ticks) ? at : -1
  }).filter((at) => at >= 0)
  return places.length > 0 ? Math.min(...places) : -1
}

/** A fence is a mark of a call unless it closes another one. */
const isPlain = (mark: string, text: string, at: number, ticks: number): boolean =>
  !mark.startsWith('`') || (ticks + countTicks(text.slice(0, at))) % 2 === 0

const LONGEST_MARK = Math.max(...CALL_MARKS.map(({ length }) => length))

/** Returns how many characters at the end of a text may begin a mark. */
export function openMark(text: string, { previous }: Before): number {
  for (let length = Math.min(LONGEST_MARK, text.length); length > 0; length--) {
    const end = text.slice(-length)
    const isOpen = CALL_MARKS.some((mark) => mark.length > length && mark.startsWith(end))
    if (isOpen && mayBegin(text, text.length - length, previous)) return length
  }
  return 0
}

/** Returns whether a text may be a code fence that begins with a mark. */
export function mayOpenInFence(text: string): boolean {
  const [opening] = /^\s*```\w{0,20}\s+/.exec(text) ?? []
  if (opening === undefined) return false
  const start = text.slice(opening.length, opening.length + LONGEST_MARK)
  return CALL_MARKS.some((mark) => start.startsWith(mark) || mark.startsWith(start))
}

/** A mark of letters begins a line, because its words occur in sentences. */
const mayBegin = (text: string, at: number, previous: string): boolean =>
  !/[A-Za-z]/.test(text[at] ?? '') ||
  (text[at - 1] ?? previous) === '\n' ||
  (previous === '\n' && text.slice(0, at).trim() === '') ||
  text.startsWith(BARE_COMMENTARY, at)
