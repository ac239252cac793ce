import type { RefusalReason } from '#shared/chat/memory/fact.ts'

type Secret = Exclude<RefusalReason, 'sentences' | 'length'>

/** Words that announce a password, a PIN or a one-time code. */
const PASSWORD =
  /\b(?:pass ?words?|pass ?phrases?|pass ?codes?|pwd|pin(?: code)?s?|cvv|cvc|(?:one[- ]time|verification|access|unlock|alarm|security|recovery|2fa|otp) codes?|mots? de passe|mdp|codes? (?:secrets?|pin|d['’]acc[eè]s|de s[ée]curit[ée]|confidentiels?|de d[ée]verrouillage))(?![\p{L}\p{N}])/iu
const KEY_WORD =
  /\b(?:api|secret|private|access|ssh|licen[cs]e|encryption|bearer|auth|signing)[ -]?(?:keys?|tokens?|secrets?)\b|\b(?:cl[ée]s?|jetons?) (?:d['’]api|api|secr[eè]tes?|priv[ée]e?s?|d['’]acc[eè]s|ssh|de licence)/iu
/** Keys by their form: those of well-known services, JSON web tokens, PEM, and long words of mixed characters. */
const KEY_FORM =
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{12,}|\b(?:gh[pousr]_|github_pat_|xox[abprs]-|glpat-|atr_|emb_|hf_|AIza|AKIA|ASIA|ya29\.)[A-Za-z0-9_-]{10,}|\beyJ[A-Za-z0-9_-]{10,}\.|-----BEGIN/
const IDENTITY_WORD =
  /\b(?:social security|ssn|passport|national (?:id|identity|insurance)|identity card|id card|driving licen[cs]e|driver['’]s licen[cs]e|tax (?:id|identification)|s[ée]curit[ée] sociale|num[ée]ro (?:de s[ée]cu|fiscal)|passeport|carte (?:nationale )?d['’]identit[ée]|permis de conduire|nir)\b/iu
const CARD_WORD = /\b(?:credit|debit|bank|payment|bancaire|bleue|visa|mastercard|amex)\b/i

/** Returns the kind of secret in a text, or null. */
export function findSecret(given: string): Secret | null {
  const text = given.normalize('NFKC')
  const digits = text.replace(/(?<=\p{N})[\s.\-‐-―_]+(?=\p{N})/gu, '')
  if (findIban(text)) return 'iban'
  if (findCard(digits)) return 'card'
  if (KEY_FORM.test(text) || findMixedWord(text)) return 'key'
  if (KEY_WORD.test(text)) return 'key'
  if (PASSWORD.test(text)) return 'password'
  if (findIdentity(text, digits)) return 'identity'
  return null
}

/** A word of at least 20 characters with letters and digits in turns, as keys have. */
function findMixedWord(text: string): boolean {
  return (text.match(/[A-Za-z0-9+/=_-]{20,}/g) ?? []).some((word) => {
    const changes = word.match(/(?<=[A-Za-z])\d|(?<=\d)[A-Za-z]/g)?.length ?? 0
    return changes >= 3
  })
}

function findIban(text: string): boolean {
  const joined = text.replace(/(?<=[A-Z0-9])[ .-](?=[A-Z0-9])/gi, '')
  return (joined.match(/[A-Z]{2}\d{2}[A-Z0-9]{11,30}/gi) ?? []).some(
    // Text without spaces may follow, so every end is tried.
    (found) =>
      Array.from({ length: found.length - 14 }, (_, cut) => found.slice(0, found.length - cut)).some(isIban),
  )
}

/** ISO 13616: the country and check digits move to the end, letters count from 10, and the rest of 97 is 1. */
function isIban(iban: string): boolean {
  const moved = `${iban.slice(4)}${iban.slice(0, 4)}`.toUpperCase()
  let rest = 0
  for (const character of moved)
    for (const digit of Number.parseInt(character, 36).toString()) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

function findCard(digits: string): boolean {
  return (
    (digits.match(/\d{13,19}/g) ?? []).some(passesLuhn) ||
    (CARD_WORD.test(digits) && /\d{12,19}/.test(digits))
  )
}

function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0 && !/^(\d)\1+$/.test(number)
}

/** A number that a word names as one of identity, a US social security number, or a French one with its check digits. */
function findIdentity(text: string, digits: string): boolean {
  if (IDENTITY_WORD.test(text) && /[A-Z]{0,3}\d{5,}/i.test(digits)) return true
  if (/\b\d{3}-\d{2}-\d{4}\b/.test(text)) return true
  if (/\b[A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b/.test(text)) return true
  return (digits.match(/[12]\d{4}(?:\d|[AB])\d{9}/g) ?? []).some((number) => {
    const plain = number.replace('A', '0').replace('B', '0')
    const correction = number.includes('A') ? 1_000_000 : number.includes('B') ? 2_000_000 : 0
    return 97 - ((Number(plain.slice(0, 13)) - correction) % 97) === Number(plain.slice(13))
  })
}
