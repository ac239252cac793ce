const years = /(\d{4})(\s?)([-–—])\s?(\d{4}|\d{2})(?![\d.,]?\d|\s?[-–—]\s?\d)/y
const chain = /\d{1,6}(?:[-–]\d{1,10}){1,6}(?!\d)/y
const label = /[A-Z]{1,8}\d{0,6}(?:-[A-Z]{1,8})?-\d[\dA-Z-]{0,20}(?![\p{L}\d])/uy
/** Fractions that are names. */
const named = /(?:24\/7|7\/7|9\/11|50\/50|20\/20)(?![\d.,/])/y
const ASKS = /(?:what(?:['’]s| is)|how much is|calculate|compute|solve|font|fait|calcule[rz]?)\s{1,3}$/i

/** Returns the range of years, phone number or identifier that begins at an index; null when none does. */
export function readRange(text: string, at: number): string | null {
  const before = text[at - 1] ?? ''
  if (/[\p{L}\d]/u.test(before)) return null
  const read = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  const whole = read(label)
  if (whole) return whole[0]
  if (/[.,]/.test(before)) return null
  const name = read(named)
  if (name) return name[0]
  const period = read(years)
  if (period && isPeriod(period, text.slice(Math.max(0, at - 20), at))) return period[0]
  const linked = read(chain)?.[0]
  return linked && isDialled(linked) && !isDate(linked) ? linked : null
}

function isPeriod([, first = '', space = '', dash = '', last = '']: string[], ahead: string): boolean {
  const [from, short] = [Number(first), Number(last)]
  const to = last.length === 2 ? Math.floor(from / 100) * 100 + short : short
  if (from < 1000 || to > 2200 || from >= to) return false
  // “2000-50” may be a sum. Periods with a year of two digits are short.
  if (last.length === 2 && (space !== '' || to - from > 30)) return false
  return !(space !== '' && dash === '-' && ASKS.test(ahead))
}

/** Returns whether a text is grouped like a phone number or ISBN: 555-1234, 555-123-4567, 06-12-34-56-78, 978-3-16-148410-0. */
function isDialled(text: string): boolean {
  const groups = text.split(/[-–]/)
  if (groups.some((group) => group.length > 1 && group.startsWith('0'))) return true
  return /^(?:\d{3}-\d{4}|\d{3}-\d{3}-\d{4}|\d{3}-\d{2}-\d{4}|97[89]-.+)$/.test(text) || groups.length > 4
}

const isDate = (text: string) => /^(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}-\d{1,2}-\d{4})$/.test(text)
