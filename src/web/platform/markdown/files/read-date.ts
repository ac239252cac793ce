/** A date or time as a spreadsheet value (UTC), with the format in which it was written. */
export type WrittenDate = { value: Date; format: string }

const months = [
  ['jan', 'january', 'janv', 'janvier'],
  ['feb', 'february', 'févr', 'février', 'fev', 'fevrier'],
  ['mar', 'march', 'mars'],
  ['apr', 'april', 'avr', 'avril'],
  ['may', 'mai'],
  ['jun', 'june', 'juin'],
  ['jul', 'july', 'juil', 'juillet'],
  ['aug', 'august', 'août', 'aout'],
  ['sep', 'sept', 'september', 'septembre'],
  ['oct', 'october', 'octobre'],
  ['nov', 'november', 'novembre'],
  ['dec', 'december', 'déc', 'décembre', 'decembre'],
]
const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/
const dayFirst = /^(\d{1,2})(?:er|st|nd|rd|th)?[ \u00a0]([\p{L}]{3,9})\.?,?[ \u00a0](\d{4})$/u
const monthFirst = /^([\p{L}]{3,9})\.?[ \u00a0](\d{1,2})(?:st|nd|rd|th)?,[ \u00a0](\d{4})$/u
const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/
const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/

/** Returns whether days precede months in numeric dates: by the column's dates, otherwise as usual; null if unknown. */
export function dayComesFirst(texts: readonly string[], usual: boolean | null): boolean | null {
  const parts = texts.map((text) => slashed.exec(text)).filter((match) => match !== null)
  const isDay = parts.some(([, first]) => Number(first) > 12)
  const isMonth = parts.some(([, , second]) => Number(second) > 12)
  if (isDay && isMonth) return null
  return isDay ? true : isMonth ? false : usual
}

/** Parses a date; null if it is invalid. `isDayFirst` decides dates such as 03/04/2027. */
export function readDate(text: string, isDayFirst: boolean | null): WrittenDate | null {
  const [, year, month, day, hour, minute, second] = iso.exec(text) ?? []
  if (year)
    return dateOf(
      [year, month, day, hour, minute, second],
      hour ? `yyyy-mm-dd hh:mm${second ? ':ss' : ''}` : 'yyyy-mm-dd',
    )
  const named = dayFirst.exec(text)
  if (named) return dateOf([named[3], monthOf(named[2]), named[1]], `d ${nameOf(named[2])} yyyy`)
  const american = monthFirst.exec(text)
  if (american)
    return dateOf([american[3], monthOf(american[1]), american[2]], `${nameOf(american[1])} d, yyyy`)
  const german = dotted.exec(text)
  if (german) return dateOf([german[3], german[2], german[1]], 'dd.mm.yyyy')
  const numbers = slashed.exec(text)
  if (!numbers || isDayFirst === null) return null
  const [, first, other, in_] = numbers
  return isDayFirst ? dateOf([in_, other, first], 'dd/mm/yyyy') : dateOf([in_, first, other], 'mm/dd/yyyy')
}

function dateOf(given: (string | undefined)[], format: string): WrittenDate | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = given.map((part) =>
    Number(part ?? 0),
  )
  const value = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  const isReal = value.getUTCMonth() === month - 1 && value.getUTCDate() === day && hour < 24 && minute < 60
  // Before 1 March 1900 spreadsheets count days differently.
  return isReal && second < 60 && value.getTime() >= Date.UTC(1900, 2, 1) ? { value, format } : null
}

const monthOf = (name = '') => String(months.findIndex((names) => names.includes(name.toLowerCase())) + 1)
const nameOf = (name = '') => (name.length > 4 ? 'mmmm' : 'mmm')
