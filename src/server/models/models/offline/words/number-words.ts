import type { Language } from '#shared/platform/primitives.ts'

const listed = (words: string, first = 0, by = 1) =>
  words.split(' ').map((word, at): [string, number] => [word, first + at * by])

const numbers: Record<Language, Map<string, number>> = {
  en: new Map([
    ...listed(
      'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen',
    ),
    ...listed('sixteen seventeen eighteen nineteen', 16),
    ...listed('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10),
  ]),
  fr: new Map([
    ...listed(
      'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize',
    ),
    ...listed('vingt trente quarante cinquante soixante septante huitante nonante', 20, 10),
    ['une', 1],
    ['vingts', 20],
  ]),
}
const hundreds: Record<Language, string[]> = { en: ['hundred'], fr: ['cent', 'cents'] }
const scales: Record<Language, Map<string, number>> = {
  en: new Map([
    ['thousand', 1e3],
    ['million', 1e6],
    ['billion', 1e9],
    ['dozen', 12],
  ]),
  fr: new Map([
    ['mille', 1e3],
    ['million', 1e6],
    ['millions', 1e6],
    ['milliard', 1e9],
    ['milliards', 1e9],
  ]),
}
const points: Record<Language, string> = { en: 'point', fr: 'virgule' }

/** Returns the factor of a word such as “million”, or null. */
export const readScale = (word: string, language: Language): number | null =>
  scales[language].get(word) ?? null

/** Returns the number that begins at a word, as decimal digits, and its length in words; null when none begins there. */
export function readSpelled(
  words: string[],
  from: number,
  language: Language,
): { value: string; length: number } | null {
  const whole = readWhole(words, from, language)
  if (!whole || words[from + whole.length] !== points[language]) return whole
  let digits = ''
  let at = from + whole.length + 1
  for (; ; at++) {
    const digit = numbers[language].get(words[at] ?? '')
    if (digit === undefined || (digits !== '' && digit > 9)) break
    digits += digit
    if (digit > 9) break
  }
  return digits ? { value: `${whole.value}.${digits}`, length: at - from } : whole
}

function readWhole(words: string[], from: number, language: Language) {
  let total = 0
  let part = 0
  let at = from
  let isBegun = false
  for (; at < words.length; at++) {
    const word = words[at] ?? ''
    const value = numbers[language].get(word)
    const scale = scales[language].get(word)
    if (word === joining[language] && isBegun && joins(words[at + 1] ?? '', part, total, language)) continue
    if (value !== undefined && (!isBegun || fits(value, total, part, language))) {
      part += value === 20 && isFourTwenties(part, language) ? 76 : value
    } else if (hundreds[language].includes(word) && part < 10 && (isBegun || language === 'fr')) {
      part = Math.max(part, 1) * 100
    } else if (scale && (isBegun || scale <= 1e3) && part < 1000 && (total === 0 || scale < total)) {
      total += (isBegun ? part : 1) * scale
      part = 0
    } else break
    isBegun = true
  }
  return isBegun ? { value: String(total + part), length: at - from } : null
}

const joining: Record<Language, string> = { en: 'and', fr: 'et' }

/** Returns whether “and” is part of a number: “two hundred and five”, “vingt et un”. Elsewhere it separates two numbers. */
function joins(next: string, part: number, total: number, language: Language): boolean {
  if (language === 'fr') return ['un', 'une', 'onze'].includes(next) && part % 100 >= 20 && part % 10 === 0
  // “two thousand and five”
  return (part > 0 ? part % 100 === 0 : total > 0) && numbers.en.has(next)
}

const isFourTwenties = (part: number, language: Language) => language === 'fr' && part % 100 === 4

/** Returns whether a word extends a number: “twenty-one” is one number, “two three” is not. */
function fits(value: number, total: number, part: number, language: Language): boolean {
  if (value === 20 && isFourTwenties(part, language)) return true
  if (part === 0) return total > 0
  if (part % 100 === 0) return value > 0 && value < 100
  const isOnTwenties = language === 'fr' && [60, 80].includes(part % 100)
  if (isOnTwenties || (language === 'fr' && [70, 90].includes(part % 100) && part % 10 === 0))
    return value > 0 && value < (isOnTwenties ? 20 : 10)
  if (part % 10 === 0 && part % 100 >= 20) return value > 0 && value < 10
  // “soixante-dix-sept”: ten and seven are separate words.
  return language === 'fr' && [10, 70, 90].includes(part % 100) && value >= 7 && value <= 9
}
