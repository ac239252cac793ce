import { Buffer } from 'node:buffer'
import { decodeOnce } from './decode-once.ts'
import { lettersOf } from './letters-only.ts'

/** Masks secrets in a text or a JSON value. */
export type Mask = { text: (text: string) => string; value: (value: unknown) => unknown }

/** Minimum length of a secret. Shorter ones are easily guessed and occur in many words, so masking would garble answers. */
const MIN_SECRET = 4
/** Minimum length of base64 and hex codes. Shorter ones occur by chance, because their alphabet is small. */
const MIN_CODE = 6
/** Minimum letters and digits of a secret that is found without its signs. It needs a digit as well, since names of people have none. */
const MIN_LETTERS = 10
/** Maximum levels of repeated escaping. */
const TURNS = 4
const HIDDEN = '••••'

/**
 * Creates a mask for secrets that a service echoes: plain, fully or partly escaped (URL, JSON, HTML, up to four levels), and in
 * base64 or hex, alone or inside a longer text. Long secrets with a digit are found in any case, and with separators or line
 * breaks between their characters.
 */
export function createMask(secrets: readonly string[]): Mask {
  const needles = [...new Set(secrets.filter(({ length }) => length >= MIN_SECRET).flatMap(formsOf))].sort(
    (one, other) => other.length - one.length,
  )
  const letters = [...new Set(needles.map((needle) => lettersOf(needle).text))].filter(
    (one) => one.length >= MIN_LETTERS && /\d/.test(one),
  )
  const text = (given: string) => (needles.length === 0 ? given : maskText(given, needles, letters))
  const value = (given: unknown): unknown => {
    if (typeof given === 'string') return text(given)
    if (typeof given === 'number') return text(String(given)) === String(given) ? given : HIDDEN
    if (Array.isArray(given)) return given.map(value)
    if (typeof given !== 'object' || given === null) return given
    return Object.fromEntries(Object.entries(given).map(([name, one]) => [text(name), value(one)]))
  }
  return { text, value: (given) => (needles.length === 0 ? given : value(given)) }
}

/** Returns the forms of a secret to search for in a text and its decoded versions. */
function formsOf(secret: string): string[] {
  const plain = [secret, secret.replaceAll(' ', '+')].flatMap((one) => [
    one,
    Buffer.from(one).toString('latin1'),
  ])
  // A secret that looks like an escape is decoded together with the text around it.
  let read = secret
  for (let turn = 0; turn < TURNS; turn += 1) {
    const next = decodeOnce(read)
    if (!next) break
    read = next.text
    if (read.length >= MIN_SECRET) plain.push(read)
  }
  const bytes = (['utf8', 'latin1', 'utf16le'] as const).map((encoding) => Buffer.from(secret, encoding))
  const codes = bytes.flatMap((one) => [
    ...[one.toString('hex'), one.toString('hex').toUpperCase()],
    ...[one.toString('base64url'), one.toString('base64').replace(/={1,2}$/, '')],
    ...[0, 1, 2].flatMap((offset) => base64At(one, offset)),
  ])
  return [...plain, ...codes.filter(({ length }) => length >= MIN_CODE)]
}

/** Returns the base64 characters that depend only on these bytes, after `offset` other bytes, in both alphabets. */
function base64At(bytes: Buffer, offset: number): string[] {
  const code = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  const whole = code.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
  return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')]
}

function maskText(given: string, needles: readonly string[], letters: readonly string[]): string {
  const found: Range[] = []
  let text = given
  const backs: ((from: number, to: number) => Range)[] = []
  for (let turn = 0; turn <= TURNS; turn += 1) {
    for (const range of [...findAll(text, needles), ...findLetters(text, letters)])
      found.push(backs.reduceRight(([from, to], before) => before(from, to), range))
    const next = turn < TURNS ? decodeOnce(text) : null
    if (!next) break
    text = next.text
    backs.push(next.before)
  }
  return found.length === 0 ? given : hide(given, found)
}

type Range = [from: number, to: number]

function findAll(text: string, needles: readonly string[]): Range[] {
  const found: Range[] = []
  for (const needle of needles)
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length))
      found.push([at, at + needle.length])
  return found
}

/** Finds secrets by their letters and digits, whatever stands between these. */
function findLetters(text: string, needles: readonly string[]): Range[] {
  if (needles.length === 0) return []
  const letters = lettersOf(text)
  return findAll(letters.text, needles).map(([from, to]) => [
    letters.at[from] ?? 0,
    (letters.at[to - 1] ?? 0) + 1,
  ])
}

function hide(text: string, found: Range[]): string {
  const parts: string[] = []
  let shown = 0
  let end = -1
  for (const [from, to] of found.sort(([one], [other]) => one - other)) {
    // Overlapping matches count as one secret.
    if (from >= end) {
      parts.push(text.slice(shown, from), HIDDEN)
      end = to
    } else end = Math.max(end, to)
    shown = end
  }
  return [...parts, text.slice(shown)].join('')
}
