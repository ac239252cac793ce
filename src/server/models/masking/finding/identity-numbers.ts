import { before, collect, type Detail } from './detail.ts'

/** Characters before a number that may say what it is. */
const CONTEXT = 60

const NIR =
  /(?<![\p{L}\d])[12378][ \u00a0.]?\d\d[ \u00a0.]?(?:0[1-9]|1[0-2]|[2-9]\d)[ \u00a0.]?(?:\d\d|2[ABab])[ \u00a0.]?\d{3}[ \u00a0.]?\d{3}(?:[ \u00a0./-]{0,3}\d\d)?(?![\p{L}\d])/gu
const TAX = /(?<![\p{L}\d])[1-9]\d(?:[ \u00a0/]?\d){9}(?![\p{L}\d])/gu
const SSN = /(?<![\p{L}\d-])\d{3}-\d\d-\d{4}(?![\p{L}\d-])/gu
const NINO =
  /(?<![\p{L}\d])[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][ \u00a0]?\d\d[ \u00a0]?\d\d[ \u00a0]?\d\d[ \u00a0]?[A-D](?![\p{L}\d])/giu
const PENSION = /(?<![\p{L}\d])\d\d[ \u00a0]?\d{6}[ \u00a0]?[A-Z][ \u00a0]?\d{3}(?![\p{L}\d])/gu
const PAPER = /(?<![\p{L}\d])(?=[A-Z]{0,4}\d)[A-Z\d]{6,14}(?![\p{L}\d])/gu
const SPACED = /(?<![\p{L}\d])\d{2,4}(?:[ \u00a0-]\d{2,5}){2,4}(?![\p{L}\d])/gu

const SAYS_PAPER =
  /passe?port|reisepass|\bpass(?:nummer|[- ]?nr)|ausweis|carte (?:nationale )?d[’']identit|\bcni\b|\bidentity card|\bid[- ](?:card|number|no\b|nr)|identit[éy]|f[üu]hrerschein|permis de conduire|driv(?:er|ing)[’']?s? licen[cs]e|aufenthaltstitel|titre de s[ée]jour|residence permit/i
const SAYS_NUMBER =
  /social security|\bssn\b|s[ée]curit[ée] sociale|num[ée]ro (?:de )?s[ée]cu|\bnir\b|steuer-?(?:id|identifikations)|\bidnr\b|tax (?:id|number)|\bnhs\b|national insurance|\bnino\b|sozialversicherung|rentenversicherung|versichertennummer|\butr\b|num[ée]ro fiscal|\bspi\b/i

/** Finds numbers of persons at authorities. Numbers without a checksum need words before them that say what they are. */
export function findIdentityNumbers(text: string): Detail[] {
  const says = (at: number, words: RegExp) => words.test(before(text, at, CONTEXT).split('\n').at(-1) ?? '')
  const whole = (found: string) => found.length
  return [
    ...collect(text, NIR, 'identity', (found, at) =>
      isNir(found) || says(at, SAYS_NUMBER) ? found.length : null,
    ),
    ...collect(text, TAX, 'identity', (found, at) =>
      isGermanTaxId(digitsOf(found)) || says(at, SAYS_NUMBER) ? found.length : null,
    ),
    ...collect(text, SSN, 'identity', (found) =>
      /^(?:000|666|9)|-00-|-0000$/.test(found) ? null : found.length,
    ),
    ...collect(text, NINO, 'identity', (found) =>
      /^(?:BG|GB|KN|NK|NT|TN|ZZ)/i.test(found) ? null : found.length,
    ),
    ...collect(text, PENSION, 'identity', (found, at) =>
      says(at, SAYS_NUMBER) || isPension(found) ? found.length : null,
    ),
    ...collect(text, PAPER, 'identity', (found, at) =>
      says(at, SAYS_PAPER) || (found.length > 8 && says(at, SAYS_NUMBER)) ? found.length : null,
    ),
    ...collect(text, SPACED, 'identity', (found, at) =>
      digitsOf(found).length > 8 && (says(at, SAYS_NUMBER) || says(at, SAYS_PAPER)) ? whole(found) : null,
    ),
  ]
}

const digitsOf = (text: string) => text.replace(/[^\dA-Za-z]/g, '')

/** The French number with its key. The letters of Corsica count as 19 and 18. */
function isNir(written: string): boolean {
  const compact = digitsOf(written).toUpperCase()
  if (compact.length !== 15) return false
  const number = compact.slice(0, 13).replace('2A', '19').replace('2B', '18')
  return 97 - Number(BigInt(number) % 97n) === Number(compact.slice(13))
}

/** ISO 7064, modulo 11-10; one digit occurs twice or three times among the first ten. */
function isGermanTaxId(digits: string): boolean {
  if (digits.length !== 11 || digits.startsWith('0')) return false
  const first = [...digits.slice(0, 10)]
  const most = Math.max(...first.map((one) => first.filter((other) => other === one).length))
  if (most !== 2 && most !== 3) return false
  let product = 10
  for (const one of first) product = (((Number(one) + product) % 10 || 10) * 2) % 11
  return (11 - product) % 10 === Number(digits[10])
}

/** The German pension number has a birthday in its middle. */
function isPension(written: string): boolean {
  const compact = digitsOf(written)
  const [day, month] = [Number(compact.slice(2, 4)), Number(compact.slice(4, 6))]
  return day >= 1 && day <= 31 && month >= 1 && month <= 12
}
