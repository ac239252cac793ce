import type { PromptFieldType } from '#shared/chat/prompts/fields.ts'

/** A value of a text that could be a field. */
export type Suggestion = { kind: Kind; type: PromptFieldType; value: string; initial: string }
export type Kind = 'date' | 'email' | 'link' | 'quote' | 'reference' | 'amount' | 'number' | 'name'

const MAX_SUGGESTIONS = 20
/** Text searched for values, in characters. */
const MAX_CHARACTERS = 20_000
/** Places of values that are kept apart. */
const MAX_PLACES = 300

const months = [
  ['january', 'janvier', 'jan', 'janv'],
  ['february', 'février', 'fevrier', 'feb', 'févr'],
  ['march', 'mars', 'mar'],
  ['april', 'avril', 'apr', 'avr'],
  ['may', 'mai'],
  ['june', 'juin', 'jun'],
  ['july', 'juillet', 'jul', 'juil'],
  ['august', 'août', 'aout', 'aug'],
  ['september', 'septembre', 'sep', 'sept'],
  ['october', 'octobre', 'oct'],
  ['november', 'novembre', 'nov'],
  ['december', 'décembre', 'decembre', 'dec', 'déc'],
]

/** Finders of values, the most telling first. The first group is the value. */
const finders: [Kind, RegExp][] = [
  ['link', /(https?:\/\/[^\s<>"»”]{1,300}[^\s<>"»”.,;:!?)])/gu],
  ['email', /(?<![\w.+-])([\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4})/gu],
  ['date', /(?<!\d)(\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4})(?!\d)/gu],
  ['date', /(?<![\p{L}\d])(\d{1,2}(?:er|st|nd|rd|th)? \p{L}{3,9}\.? \d{4})(?!\d)/gu],
  ['date', /(?<![\p{L}\d])(\p{L}{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4})(?!\d)/gu],
  ['quote', /[“"«] {0,1}\u00a0?([^“”"«»\n]{2,80}?)\u00a0? {0,1}[”"»]/gu],
  ['reference', /(?<![\p{L}\p{N}-])(\p{Lu}{1,6}[-/]?\d[\p{Lu}\d/-]{1,24})(?![\p{L}\p{N}])/gu],
  [
    'amount',
    /[€$£] ?(\d{1,3}(?:[ \u00a0\u202f.,']\d{3}){1,5}(?:[.,]\d{1,2})?|\d{1,12}(?:[.,]\d{1,2})?)(?!\d)/gu,
  ],
  [
    'amount',
    /(?<![\d.,])(\d{1,3}(?:[ \u00a0\u202f.,']\d{3}){1,5}(?:[.,]\d{1,2})?|\d{1,12}(?:[.,]\d{1,2})?)(?=[ \u00a0\u202f]?(?:€|\$|£|EUR|USD|CHF|GBP|k€|euros?|dollars?)(?!\p{L}))/gu,
  ],
  [
    'name',
    /(?<=[\p{Ll}\p{N},;:)’'] )((?!(?:EUR|USD|CHF|GBP)\b)\p{Lu}\p{L}[\p{L}'’-]{0,30}(?: (?:de |du |des |la |of |& )?\p{Lu}\p{L}[\p{L}'’-]{0,30}){0,3})/gu,
  ],
  ['number', /(?<![\p{L}\d.,/-])(\d{2,9}(?:[.,]\d{1,3})?)(?![\d/-]|[.,]\d)/gu],
]

/** Returns the values found in a text, each once and in the order of the text. They never overlap. */
export function suggestFields(whole: string): Suggestion[] {
  const text = whole.slice(0, MAX_CHARACTERS)
  // What is a placeholder already is no value.
  const taken = [...text.matchAll(/\{\{[^{}\n]{0,60}\}\}/g)].map(({ 0: written, index }) => [
    index,
    index + written.length,
  ])
  const found: (Suggestion & { at: number })[] = []
  for (const [kind, pattern] of finders)
    for (const match of text.matchAll(pattern)) {
      const value = match[1] ?? ''
      const at = match.index + match[0].indexOf(value)
      const end = at + value.length
      const suggestion = toSuggestion(kind, value)
      if (taken.length >= MAX_PLACES) break
      if (!suggestion || taken.some(([from = 0, to = 0]) => at < to && end > from)) continue
      taken.push([at, end])
      if (!found.some((one) => one.value === value)) found.push({ ...suggestion, at })
    }
  return found
    .sort((a, b) => a.at - b.at)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ at: _, ...suggestion }) => suggestion)
}

function toSuggestion(kind: Kind, value: string): Suggestion | null {
  if (kind === 'date') {
    const initial = readDay(value)
    return initial === '' ? null : { kind, type: 'date', value, initial }
  }
  if (kind === 'amount' || kind === 'number') {
    const initial = plainNumber(value)
    return { kind, type: initial ? 'number' : 'text', value, initial: initial || value }
  }
  return { kind, type: 'text', value, initial: value }
}

/** Returns a number without the spaces or signs between its groups; empty if it is none. */
function plainNumber(value: string): string {
  const digits = value.replace(/[\s']/g, '')
  const grouped = digits.replace(/([.,])(?=\d{3}(?:\D|$))/g, (sign, _found, at: number) =>
    /^\d{1,3}$/.test(digits.slice(0, at)) || digits.slice(0, at).includes(sign) ? '' : sign,
  )
  return /^\d{1,15}(?:[.,]\d{1,3})?$/.test(grouped) ? grouped : ''
}

/** Returns a written day as year-month-day; empty if there is no such day. Numbers are day, month, year. */
function readDay(value: string): string {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value)
  if (iso) return toDay(iso[1], iso[2], iso[3])
  const numbers = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(value)
  if (numbers) return toDay(numbers[3], numbers[2], numbers[1])
  const words = value.split(/[\s,.]+/).filter(Boolean)
  const month = words.map(monthOf).find((number) => number > 0) ?? 0
  const day = words.map((word) => Number.parseInt(word, 10)).find((number) => number >= 1 && number <= 31)
  return month > 0 && day ? toDay(words.at(-1), String(month), String(day)) : ''
}

const monthOf = (word: string) => months.findIndex((names) => names.includes(word.toLowerCase())) + 1

function toDay(year = '', month = '', day = ''): string {
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${written}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(written) ? written : ''
}
