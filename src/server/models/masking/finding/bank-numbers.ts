import { collect, type Detail } from './detail.ts'

/** Lengths of IBANs by country (ISO 13616). */
const IBAN_LENGTHS: Record<string, number> = {
  ...{ AD: 24, AE: 23, AL: 28, AT: 20, AZ: 28, BA: 20, BE: 16, BG: 22, BH: 22, BR: 29, BY: 28, CH: 21 },
  ...{ CR: 22, CY: 28, CZ: 24, DE: 22, DK: 18, DO: 28, EE: 20, EG: 29, ES: 24, FI: 18, FO: 18, FR: 27 },
  ...{ GB: 22, GE: 22, GI: 23, GL: 18, GR: 27, GT: 28, HR: 21, HU: 28, IE: 22, IL: 23, IQ: 23, IS: 26 },
  ...{ IT: 27, JO: 30, KW: 30, KZ: 20, LB: 28, LC: 32, LI: 21, LT: 20, LU: 20, LV: 21, LY: 25, MC: 27 },
  ...{ MD: 24, ME: 22, MK: 19, MR: 27, MT: 31, MU: 30, NL: 18, NO: 15, PK: 24, PL: 28, PS: 29, PT: 25 },
  ...{ QA: 29, RO: 24, RS: 22, SA: 24, SC: 31, SE: 24, SI: 19, SK: 24, SM: 27, TN: 24, TR: 26, UA: 29 },
  ...{ VA: 22, VG: 24, XK: 20 },
}

const IBAN = /(?<![\p{L}\d])[A-Za-z]{2}\d{2}(?:[ \u00a0\u202f.-]?[A-Za-z\d]){11,30}/gu
const CARD = /(?<![\p{L}\d.,+-])\d(?:[ \u00a0\u202f-]?\d){12,18}(?![\d])/gu
const SEPARATOR = /[ \u00a0\u202f.-]/

/** Finds IBANs with a valid checksum, in groups or not. */
export function findIbans(text: string): Detail[] {
  return collect(text, IBAN, 'iban', (found) => {
    const wanted = IBAN_LENGTHS[found.slice(0, 2).toUpperCase()]
    if (wanted === undefined) return null
    const length = lengthOf(found, wanted)
    if (length === null || /[\p{L}\d]/u.test(found[length] ?? '')) return null
    return isIban(found.slice(0, length)) ? length : null
  })
}

/** Finds card numbers: 13 to 19 digits of a known network with a valid check digit. */
export function findCards(text: string): Detail[] {
  return collect(text, CARD, 'card', (found) => {
    const digits = found.replace(/\D/g, '')
    return isNetwork(digits) && isLuhn(digits) ? found.length : null
  })
}

/** Returns the length of the text that has so many characters besides separators. */
function lengthOf(found: string, wanted: number): number | null {
  let count = 0
  for (let at = 0; at < found.length; at++) {
    if (!SEPARATOR.test(found[at] ?? '')) count++
    if (count === wanted) return at + 1
  }
  return null
}

/** ISO 7064, modulo 97-10. */
function isIban(written: string): boolean {
  const compact = [...written.toUpperCase()].filter((one) => !SEPARATOR.test(one))
  const moved = [...compact.slice(4), ...compact.slice(0, 4)]
  let rest = 0
  for (const one of moved)
    for (const digit of String(Number.parseInt(one, 36))) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

/** Visa, Mastercard, American Express, Discover, Diners, JCB, UnionPay and Maestro. */
const isNetwork = (digits: string): boolean =>
  /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35\d{14}|6\d{15,18}|5[06-8]\d{14})$/.test(
    digits,
  )

function isLuhn(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    const doubled = at % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
