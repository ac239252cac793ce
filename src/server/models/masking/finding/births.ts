import { before, collect, type Detail } from './detail.ts'

const DATE =
  /(?<![\p{L}\d])(?:\d{1,2}(?:st|nd|rd|th|er|\.)?[ \u00a0]?(?:of )?\p{L}{3,10}\.?,?[ \u00a0]\d{4}|\p{L}{3,10}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d\d)|\d{4}[./-]\d{1,2}[./-]\d{1,2})(?![\p{L}\d])/gu
const SAYS_BIRTH =
  /(?:\bborn\b|\bdate of birth|\bbirth ?(?:date|day)|\bd\.?o\.?b\b|\bn[ée]+s?(?:\(e\)|·e)? le\b|\bn[ée]e? [àa] |date de naissance|naissance|anniversaire|geboren|\bgeb\b|geburtsdatum|geburtstag|geburt|\*)[^\n]{0,40}$/i

/** German verbs come last. */
const BORN = /^ (?:geboren|zur Welt)/

/** Finds dates of birth: dates after words that say so. */
export function findBirths(text: string): Detail[] {
  return collect(text, DATE, 'birth', (found, at) =>
    SAYS_BIRTH.test(before(text, at, 60)) || BORN.test(text.slice(at + found.length, at + found.length + 12))
      ? found.length
      : null,
  )
}
