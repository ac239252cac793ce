/** A decoded text with a mapping to positions in the original. */
export type Decoded = {
  text: string
  /** Maps a range of the decoded text to its range in the original. */
  before: (from: number, to: number) => [from: number, to: number]
}

const names = new Map(
  [
    ...(['amp&', 'lt<', 'gt>', 'quot"', "apos'", 'nbsp ', 'sol/', 'bsol\\', 'plus+', 'equals='] as const),
    ...([
      'colon:',
      'semi;',
      'comma,',
      'period.',
      'num#',
      'excl!',
      'dollar$',
      'percnt%',
      'ast*',
      'commat@',
    ] as const),
    ...([
      'lpar(',
      'rpar)',
      'lsqb[',
      'rsqb]',
      'lbrack[',
      'rbrack]',
      'lcub{',
      'rcub}',
      'Hat^',
      'lowbar_',
    ] as const),
    ...(['quest?', 'grave`', 'verbar|', 'vert|', 'hyphen-', 'dash-', 'Tab\t', 'NewLine\n'] as const),
  ].map((entry) => [entry.slice(0, -1), entry.slice(-1)]),
)
const escaped: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', '0': '\0' }
const hex = /[\da-f]{2,8}/iy
/** HTML reads numbers with leading zeros, and without the semicolon. */
const entity = /&(?:#0*(\d{1,7})(?!\d);?|#x0*([\da-f]{1,6})(?![\da-f]);?|([a-z]{2,8});)/iy
const braced = /\{([\da-f]{1,4})\}/iy
const octal = /[0-3][0-7]{2}/y
const sign = /[%\\&]/g

/**
 * Decodes each `%41` (one byte), `%u0041`, `\u0041`, `\u{41}`, `\U00000041`, `\x41`, `\101`, `\/`, `&#65;` and `&amp;` once. Returns null if there are none. Text that is
 * escaped twice needs a second call.
 */
export function decodeOnce(text: string): Decoded | null {
  const parts: string[] = []
  /** Positions of decoded characters, their original positions, and their original lengths. */
  const at: number[] = []
  const from: number[] = []
  const lengths: number[] = []
  let copied = 0
  let written = 0
  sign.lastIndex = 0
  for (let found = sign.exec(text); found; found = sign.exec(text)) {
    const read = readEscape(text, found.index)
    if (!read) continue
    const [value, length] = read
    parts.push(text.slice(copied, found.index), value)
    written += found.index - copied
    at.push(written)
    from.push(found.index)
    lengths.push(length)
    written += 1
    copied = found.index + length
    sign.lastIndex = copied
  }
  if (at.length === 0) return null
  parts.push(text.slice(copied))
  const start = (place: number): [from: number, length: number] => {
    const one = lastAtMost(at, place)
    if (one < 0) return [place, 1]
    const [now = 0, then = 0, length = 1] = [at[one], from[one], lengths[one]]
    return now === place ? [then, length] : [then + length + place - now - 1, 1]
  }
  return {
    text: parts.join(''),
    before: (begin, end) => {
      const [last, length] = start(end - 1)
      return [start(begin)[0], last + length]
    },
  }
}

/** Returns the escaped character at a position as one code unit, and the length of its escape. */
function readEscape(text: string, at: number): [value: string, length: number] | null {
  const next = text[at + 1] ?? ''
  if (text[at] === '&') return readEntity(text, at)
  if (text[at] === '%' && next === 'u') return readHex(text, at + 2, 4, 6)
  if (text[at] === '%') return readHex(text, at + 1, 2, 3)
  if (next === 'u') return readHex(text, at + 2, 4, 6) ?? readBraced(text, at + 2)
  if (next === 'U') return readHex(text, at + 2, 8, 10)
  if (next === 'x') return readHex(text, at + 2, 2, 4)
  if (/[\\/"'`]/.test(next)) return [next, 2]
  octal.lastIndex = at + 1
  const [digits] = octal.exec(text) ?? []
  if (digits) return [String.fromCharCode(Number.parseInt(digits, 8)), 4]
  const known = escaped[next]
  return known === undefined ? null : [known, 2]
}

function readHex(text: string, at: number, digits: number, length: number): [string, number] | null {
  hex.lastIndex = at
  const [found = ''] = hex.exec(text) ?? []
  if (found.length < digits) return null
  return [String.fromCharCode(Number.parseInt(found.slice(0, digits), 16)), length]
}

function readBraced(text: string, at: number): [string, number] | null {
  braced.lastIndex = at
  const [whole = '', digits] = braced.exec(text) ?? []
  return digits ? [String.fromCharCode(Number.parseInt(digits, 16)), 2 + whole.length] : null
}

function readEntity(text: string, at: number): [string, number] | null {
  entity.lastIndex = at
  const found = entity.exec(text)
  if (!found) return null
  const [whole, decimal, hexadecimal, name = ''] = found
  const code = decimal ? Number(decimal) : hexadecimal ? Number.parseInt(hexadecimal, 16) : null
  const value = code === null ? names.get(name) : String.fromCharCode(code)
  return value === undefined ? null : [value, whole.length]
}

/** Returns the index of the last entry of an ascending list that is at most a value; -1 if there is none. */
function lastAtMost(list: readonly number[], value: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
