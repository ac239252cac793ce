import { before, collect, type Detail } from './detail.ts'

const EMAIL = /(?<![\p{L}\d._%+-])[\p{L}\d._%+-]{1,64}@[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){1,6}/gu
const PHONE =
  /(?<![\p{L}\d/+#-]|\d[.,])(?:\+|00)?(?:\(\+?\d{1,5}\)|\d{1,5})(?:[ \u00a0\u202f./-]{0,3}\(?\d{1,12}\)?){0,8}/gu
const SAYS_PHONE =
  /(?:\btel|t[ée]l[ée]?phone?|\bt[ée]l\b|phone|mobile?|handy|portable|\bfax|\bcell|call (?:me|us|him|her|them)|ring (?:me|us)|reach (?:me|us|him|her)|whatsapp|\bsms\b|rufnummer|durchwahl|anruf|erreichbar|erreichen|num[ée]ro|joindre|joignable|appel|rappel|festnetz|\bnr\. meiner|at home|standard)[^\d\n]{0,40}$/i

/** Finds e-mail addresses. */
export const findEmails = (text: string): Detail[] =>
  collect(text, EMAIL, 'email', (found) => found.replace(/(?<![.-])[.-]+$/, '').length)

/** Finds phone numbers: international ones, national ones with separators, and other ones after words that say so. */
export function findPhones(text: string): Detail[] {
  return collect(text, PHONE, 'phone', (match, at) => {
    const found = trimmed(match)
    const digits = found.replace(/\D/g, '')
    if (digits.length < 7 || digits.length > 15 || isDate(found)) return null
    if (/^\d/.test(text.slice(at + found.length))) return null
    const isSaid = SAYS_PHONE.test(before(text, at, 60))
    return isSaid || isInternational(found, digits) || isNational(found, digits) ? found.length : null
  })
}

/** Without separators and an open bracket at the end. */
function trimmed(match: string): string {
  const bare = match.replace(/[ \u00a0\u202f./(-]{1,5}$/, '')
  return bare.endsWith(')') && !bare.includes('(') ? bare.slice(0, -1) : bare
}

const isInternational = (found: string, digits: string) =>
  /^\(?(?:\+|00)[1-9]/.test(found) && digits.length >= 9

function isNational(found: string, digits: string): boolean {
  // French numbers have pairs, British ones three groups, German ones an area code and a number.
  if (/^0[1-9](?:[ \u00a0\u202f.-]?\d\d){4}$/.test(found)) return true
  if (/^\(?0\d{1,5}\)?[ \u00a0\u202f/-]{1,3}\d/.test(found)) return digits.length >= 9 && digits.length <= 13
  if (/^01[5-7]\d{8,9}$|^07\d{9}$/.test(found)) return true
  return /^(?:1[ .-])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[.-])[2-9]\d\d[ .-]\d{4}$/.test(found)
}

/** Dates, versions and addresses of machines look like numbers with points. */
const isDate = (found: string) =>
  /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$|^\d{4}[./-]\d{1,2}[./-]\d{1,2}|^\d{1,3}(?:\.\d{1,3}){3}$/.test(found)
