import type { CellKind } from '#shared/knowledge/documents/kept-files.ts'

const builtIn: Record<number, string> = {
  ...{
    0: 'General',
    1: '0',
    2: '0.00',
    3: '#,##0',
    4: '#,##0.00',
    9: '0%',
    10: '0.00%',
    11: '0.00E+00',
    12: '# ?/?',
  },
  ...{
    13: '# ??/??',
    14: 'yyyy-mm-dd',
    15: 'd-mmm-yy',
    16: 'd-mmm',
    17: 'mmm-yy',
    18: 'h:mm AM/PM',
    19: 'h:mm:ss AM/PM',
  },
  ...{
    20: 'h:mm',
    21: 'h:mm:ss',
    22: 'yyyy-mm-dd h:mm',
    37: '#,##0;(#,##0)',
    38: '#,##0;(#,##0)',
    39: '#,##0.00;(#,##0.00)',
  },
  ...{
    40: '#,##0.00;(#,##0.00)',
    44: '#,##0.00',
    45: 'mm:ss',
    46: '[h]:mm:ss',
    47: 'mm:ss.0',
    48: '##0.0E+0',
    49: '@',
  },
}

/** The code of a number format by its id; `own` are the formats the file defines. */
export function formatCode(id: number, own: Map<number, string>): string {
  return own.get(id) ?? builtIn[id] ?? 'General'
}

/** A number as its format displays it (ECMA-376 part 1, 18.8.31). Dates that depend on the reader's country are shown as ISO dates. */
export function showNumber(value: number, code: string, is1904: boolean): { text: string; kind: CellKind } {
  const sections = splitSections(code)
  const at = value < 0 && sections.length > 1 ? 1 : value === 0 && sections.length > 2 ? 2 : 0
  const section = sections[at] ?? 'General'
  const bare = section.replace(/"[^"]*"|\\.|_.|\*./g, '')
  if (isDate(bare)) return { text: showDate(value, section, is1904), kind: 'd' }
  if (/^(General|@)?$/i.test(bare.trim()) && !/[#0?]/.test(bare)) {
    const around = literal(section.replace(/General|@/i, '\u0000'))
    const shown = general(at === 1 ? -value : value)
    return { text: around.includes('\u0000') ? around.replace('\u0000', shown) : around || shown, kind: 'n' }
  }
  const number = showDigits(at === 1 ? Math.abs(value) : value, section)
  return { text: number, kind: 'n' }
}

/** Eleven significant digits, as Excel shows a number without a format. */
export function general(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value)
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-9 || size >= 1e15)) {
    const [mantissa, power] = value.toExponential(5).split('e')
    return `${Number(mantissa)}E${power}`
  }
  return String(Number(value.toPrecision(11)))
}

function splitSections(code: string): string[] {
  return (code.match(/(?:"[^"]*"|\\.|[^;])+|(?<=;)(?=;|$)/g) ?? ['General']).map((one) =>
    // Removes colours, conditions and countries; currencies become their symbol.
    one.replace(/\[\$([^[\]-]*)(-[^[\]]*)?\]/g, '"$1"').replace(/\[(?!h+\]|m+\]|s+\])[^[\]]*\]/gi, ''),
  )
}

const isDate = (bare: string) => /[ymdhs]/i.test(bare.replace(/General|E[+-]/gi, ''))

function showDigits(value: number, section: string): string {
  const pattern = patternOf(section)
  const percent = (section.replace(/"[^"]*"|\\./g, '').match(/%/g) ?? []).length
  const thousands = commasBehind(pattern.split('.', 1)[0] ?? '') || commasBehind(pattern)
  const scaled = (value * 100 ** percent) / 1000 ** (pattern.endsWith(',') ? thousands : 0)
  const shown = pattern.includes('/') ? fraction(scaled, pattern) : digits(scaled, pattern)
  const start = section.indexOf(pattern)
  const sign = scaled < 0 && !shown.startsWith('-') && /[1-9]/.test(shown) ? '-' : ''
  return `${sign}${literal(section.slice(0, start))}${shown.replace(/^-/, scaled < 0 && sign === '' ? '-' : '')}${literal(section.slice(start + pattern.length))}`.trim()
}

/** The part of a section for the number, without texts, literal characters and padding. */
function patternOf(section: string): string {
  const other = /"[^"]*"|\\.|_.|\*.|[^#0?]/y
  const number = /[#0?][#0? ]*\/[#0?\d]+|[#0?][#0?,. ]*(?:E[+-][#0?]+)?/y
  while (other.test(section)) number.lastIndex = other.lastIndex
  return number.exec(section)?.[0].trim() ?? '0'
}

/** Commas after the last digit; each divides by a thousand. */
function commasBehind(pattern: string): number {
  let count = 0
  while (pattern.at(-1 - count) === ',') count += 1
  return count
}

function grouped(integer: string): string {
  const first = integer.length % 3 || 3
  return [integer.slice(0, first), ...(integer.slice(first).match(/\d{3}/g) ?? [])].join(',')
}

function digits(value: number, pattern: string): string {
  const exponent = /E([+-])([#0?]+)/.exec(pattern)
  const [whole = '', decimals = ''] = pattern.replace(/E.*/, '').split('.')
  const most = Math.min(20, (decimals.match(/[#0?]/g) ?? []).length)
  const least = (decimals.match(/0/g) ?? []).length
  const size = Math.abs(value)
  if (exponent) {
    const [mantissa = '0', power = '0'] = size.toExponential(most).split('e')
    const shown = String(Math.abs(Number(power))).padStart(exponent[2]?.length ?? 1, '0')
    return `${value < 0 ? '-' : ''}${mantissa}E${Number(power) < 0 ? '-' : exponent[1] === '+' ? '+' : ''}${shown}`
  }
  let [integer = '0', rest = ''] = rounded(size, most).split('.')
  while (rest.length > least && rest.endsWith('0')) rest = rest.slice(0, -1)
  integer = integer.padStart((whole.match(/0/g) ?? []).length, '0')
  if (!/[0?]/.test(whole) && integer === '0' && rest !== '') integer = ''
  if (/[#0?],[#0?]/.test(whole)) integer = grouped(integer)
  return rest === '' && least === 0 ? integer : `${integer}.${rest}`
}

/** Rounds half away from zero, without the error of binary fractions. */
function rounded(size: number, places: number): string {
  if (size >= 1e15) return size.toFixed(places)
  const [mantissa = '0', power = '0'] = size.toExponential().split('e')
  return Number(`${Math.round(Number(`${mantissa}e${Number(power) + places}`))}e-${places}`).toFixed(places)
}

function fraction(value: number, pattern: string): string {
  const most = 10 ** Math.min(4, (/\/([#?0]+)/.exec(pattern)?.[1] ?? '?').length) - 1
  const fixed = Number(/\/(\d+)/.exec(pattern)?.[1] ?? 0)
  const size = Math.abs(value)
  const whole = Math.floor(size)
  let best = [0, 1]
  for (let under = fixed || 1; under <= (fixed || most); under += 1) {
    const over = Math.round((size - whole) * under)
    if (
      Math.abs(over / under - (size - whole)) <
        Math.abs((best[0] ?? 0) / (best[1] ?? 1) - (size - whole)) - 1e-12 ||
      fixed
    )
      best = [over, under]
  }
  const [over = 0, under = 1] = best
  if (over === under) return String(whole + 1)
  return [whole || over === 0 ? String(whole) : '', over ? `${over}/${under}` : ''].filter(Boolean).join(' ')
}

/** Characters that represent themselves. */
function literal(text: string): string {
  return text
    .replace(
      /"([^"]*)"|\\(.)|_.|\*./g,
      (_, quoted?: string, one?: string) => quoted ?? one ?? (_.startsWith('_') ? ' ' : ''),
    )
    .replace(/[#?]/g, '')
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Days since the end of 1899, including the nonexistent 29 February 1900; or since 1904. */
export function dateOf(serial: number, is1904: boolean): Date {
  const real = is1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial
  return new Date(Math.round((real - 25_569) * 86_400_000))
}

function showDate(serial: number, section: string, is1904: boolean): string {
  const date = dateOf(serial, is1904)
  if (Number.isNaN(date.getTime()) || serial < 0) return general(serial)
  const isHalf = /AM\/PM|A\/P/i.test(section)
  const pad = (value: number, length: number) => String(value).padStart(length, '0')
  const hours = isHalf ? date.getUTCHours() % 12 || 12 : date.getUTCHours()
  let isTime = false
  const shown = section.replace(
    /"([^"]*)"|\\(.)|_.|\*.|\[(h+|m+|s+)\]|AM\/PM|A\/P|y+|m+|d+|h+|s+(\.0+)?|General/gi,
    (token, quoted?: string, one?: string, elapsed?: string, fractions?: string, at?: number) => {
      if (quoted !== undefined || one !== undefined) return quoted ?? one ?? ''
      if (/^[_*]/.test(token)) return ''
      if (elapsed) {
        isTime = true
        const unit = { h: 24, m: 1440, s: 86_400 }[elapsed[0]?.toLowerCase() ?? 'h'] ?? 24
        return pad(Math.floor(serial * unit + 1e-6), elapsed.length)
      }
      const kind = token[0]?.toLowerCase()
      if (kind === 'a') return date.getUTCHours() < 12 ? 'AM' : 'PM'
      if (kind === 'y')
        return token.length > 2 ? pad(date.getUTCFullYear(), 4) : pad(date.getUTCFullYear() % 100, 2)
      if (kind === 'd') {
        const name = days[date.getUTCDay()] ?? ''
        return token.length > 3
          ? name
          : token.length === 3
            ? name.slice(0, 3)
            : pad(date.getUTCDate(), token.length)
      }
      if (kind === 'h') {
        isTime = true
        return pad(hours, token.length)
      }
      if (kind === 's') {
        isTime = true
        const milliseconds = fractions
          ? `.${pad(date.getUTCMilliseconds(), 3).slice(0, fractions.length - 1)}`
          : ''
        return `${pad(date.getUTCSeconds(), token.replace(/\..*/, '').length)}${milliseconds}`
      }
      const isMinute =
        token.length < 3 && (isTime || /^[^a-z]*s/i.test(section.slice((at ?? 0) + token.length)))
      if (isMinute) return pad(date.getUTCMinutes(), token.length)
      const name = months[date.getUTCMonth()] ?? ''
      return token.length > 3
        ? name
        : token.length === 3
          ? name.slice(0, 3)
          : pad(date.getUTCMonth() + 1, token.length)
    },
  )
  return shown.trim()
}
