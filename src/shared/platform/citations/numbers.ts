/** Numbers written as words, which a passage may use instead of digits. */
const WORDS: Record<string, number> = {
  ...{
    one: 1,
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    eleven: 11,
    twelve: 12,
  },
  ...{
    un: 1,
    une: 1,
    deux: 2,
    trois: 3,
    quatre: 4,
    cinq: 5,
    sept: 7,
    huit: 8,
    neuf: 9,
    dix: 10,
    onze: 11,
    douze: 12,
  },
}

const NUMBER = /\d+(?:[.,'’\u00a0\u202f ]\d+)*/gu

/** Returns the numbers of a text as written. */
export function numbersIn(text: string): string[] {
  return Array.from(text.matchAll(NUMBER), ([number]) => number)
}

/** Returns all possible values of a text's numbers: `1,234` may be 1234 or 1.234. */
export function meaningsIn(text: string): Set<string> {
  const meanings = new Set(numbersIn(text).flatMap(meaningsOf))
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? [])
    if (word in WORDS) meanings.add(String(WORDS[word]))
  return meanings
}

export function meaningsOf(written: string): string[] {
  const parts = written.split(/[.,'’\u00a0\u202f ]/u)
  const last = parts.at(-1) ?? ''
  const isGrouped = (groups: string[]) => groups.slice(1).every((group) => group.length === 3)
  const meanings = isGrouped(parts) ? [plain(parts.join(''))] : []
  if (parts.length > 1 && isGrouped(parts.slice(0, -1)))
    meanings.push(decimal(parts.slice(0, -1).join(''), last))
  // Adjacent numbers, as in a date, count separately.
  return meanings.length > 0 ? meanings : parts.map(plain)
}

const plain = (digits: string) => digits.replace(/^0+(?=\d)/, '')
const decimal = (digits: string, rest: string) => {
  const shown = rest.replace(/(?<!0)0+$/, '')
  return shown === '' ? plain(digits) : `${plain(digits)}.${shown}`
}
