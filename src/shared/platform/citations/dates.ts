import { fold } from './text-language.ts'

/** Meaning of a date; several readings when day and month are interchangeable. */
export type SaidDate = {
  readings: { day?: number; month?: number; year?: number }[]
  at: number
  text: string
}

const NAMES = [
  'january janvier januar enero jan janv ene',
  'february fevrier februar febrero feb fev fevr',
  'march mars marz marzo mar',
  'april avril abril apr avr abr',
  'may mai mayo',
  'june juin juni junio jun',
  'july juillet juli julio jul juil',
  'august aout agosto aug ago',
  'september septembre septiembre sep sept',
  'october octobre oktober octubre oct okt',
  'november novembre noviembre nov',
  'december decembre dezember diciembre dec dez dic',
]
const MONTHS = new Map(NAMES.flatMap((names, at) => names.split(' ').map((name) => [name, at + 1] as const)))
const DAY_WORDS = new Map(
  (
    'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth ' +
    'eighteenth nineteenth twentieth'
  )
    .split(' ')
    .map((word, at) => [word, at + 1] as const),
)

const FORMS: [RegExp, (found: RegExpMatchArray) => SaidDate['readings']][] = [
  [
    /(?<![\d.,])(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?![\d])/gu,
    (f) => valid([{ year: Number(f[1]), month: Number(f[2]), day: Number(f[3]) }]),
  ],
  [
    /(?<![\d.,/])(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?![\d])/gu,
    (f) => digits(Number(f[1]), Number(f[2]), yearOf(f[3] ?? '')),
  ],
  [
    /(?<![\d.,])(\d{1,2})(?:st|nd|rd|th|er|\.|º)?(?:\s+|\s*,\s*|\s+(?:of|de|del)\s+)(\p{L}{3,10})\.?(?:(?:\s+|\s*,\s*|\s+(?:of|de|del)\s+)((?:1[5-9]|20|21)\d{2})(?!\d))?/giu,
    (f) => named(f[2], Number(f[1]), f[3]),
  ],
  [
    /(?<!\p{L})(\p{L}+)\s+(?:of\s+)?(\p{L}{3,10})\.?(?:(?:\s+|\s*,\s*|\s+(?:of|de|del)\s+)((?:1[5-9]|20|21)\d{2})(?!\d))?/giu,
    (f) => named(f[2], DAY_WORDS.get(fold(f[1] ?? '')), f[3], true),
  ],
  [
    // "In May 13 shops closed" names no day.
    /(?<!\p{L})(?<!\b(?:in|im|en)\s(?=\p{L}{3,10}\s\d{1,2}\s\p{Ll}))(\p{L}{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th|er|\.|º)?(?!\d|[.,]\d)(?:(?:\s+|\s*,\s*|\s+(?:of|de|del)\s+)((?:1[5-9]|20|21)\d{2})(?!\d))?/giu,
    (f) => named(f[1], Number(f[2]), f[3]),
  ],
  [
    /(?<!\p{L})(\p{L}{3,10})\.?(?:\s+|\s*,\s*|\s+(?:of|de|del)\s+)((?:1[5-9]|20|21)\d{2})(?!\d)/giu,
    (f) => named(f[1], undefined, f[2]),
  ],
  [
    /(?<!\p{L})(?:[Ii]n|of|[Mm]id|[Ee]arly|[Ll]ate|[Ss]ince|[Uu]ntil|[Ff]in|[Dd]ébut|[Mm]i|[Ee]n|[Dd]epuis|[Ee]nde|[Aa]nfang|[Mm]itte|[Ii]m|[Ss]eit|[Bb]is|[Hh]asta|[Dd]esde|finales de)[\s-](\p{L}{4,10}|mai|Mai|May|juin|Juni|Juli)(?!\p{L})/gu,
    (f) => named(f[1], undefined, undefined),
  ],
]

/** Returns whether a text begins with the name of a month. */
export const beginsWithMonth = (text: string) => MONTHS.has(fold(/^\p{L}+/u.exec(text)?.[0] ?? ''))

/** The dates of a text, in any usual notation, with the text where they are replaced by spaces. */
export function readDates(text: string): { dates: SaidDate[]; rest: string } {
  const dates: SaidDate[] = []
  let rest = text
  for (const [form, read] of FORMS)
    for (const found of rest.matchAll(form)) {
      const readings = read(found)
      if (readings.length === 0) continue
      // A full stop after a month in full ends the sentence.
      const said = found[0].replace(/(?<=\p{L}{4}|mai|may|\d)\.$/iu, '')
      dates.push({ readings, at: found.index, text: said.trim() })
      rest = rest.slice(0, found.index) + ' '.repeat(said.length) + rest.slice(found.index + said.length)
    }
  return { dates, rest }
}

/** Whether a date of a text says nothing else than one of its source. A year alone in the source counts for any date. */
export function isDateKnown(
  said: SaidDate,
  source: readonly SaidDate[],
  years: ReadonlySet<number>,
): boolean {
  return said.readings.some((one) =>
    source.some(({ readings }) =>
      readings.some((other) => {
        const agrees = (field: 'day' | 'month') => one[field] === undefined || other[field] === one[field]
        const isYear =
          one.year === undefined ||
          (other.year === undefined ? years.has(one.year) || years.size === 0 : other.year === one.year)
        return agrees('day') && agrees('month') && isYear
      }),
    ),
  )
}

const yearOf = (digits: string) => (digits.length === 2 ? 2000 + Number(digits) : Number(digits))

const valid = (readings: { day: number; month: number; year: number }[]) =>
  readings.filter(({ day, month }) => day >= 1 && day <= 31 && month >= 1 && month <= 12)

const digits = (a: number, b: number, year: number) =>
  valid([
    { day: a, month: b, year },
    { day: b, month: a, year },
  ])

function named(
  name: string | undefined,
  day: number | undefined,
  year: string | undefined,
  needsDay = false,
): SaidDate['readings'] {
  const month = MONTHS.get(fold(name ?? ''))
  if (month === undefined || (needsDay && day === undefined) || (day !== undefined && (day < 1 || day > 31)))
    return []
  return [
    { month, ...(day === undefined ? {} : { day }), ...(year === undefined ? {} : { year: Number(year) }) },
  ]
}
