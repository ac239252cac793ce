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
 * base64, base32, hex or byte numbers, alone or inside a longer text. Long secrets with a digit are found in any case, and with separators
 * or line breaks between their characters. Lists of bytes or characters are masked whole.
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
    if (Array.isArray(given)) return spells(given, text) ? [HIDDEN] : given.map(value)
    if (typeof given !== 'object' || given === null) return given
    // JSON writes an array of bytes as an object with numbered fields.
    if (Object.keys(given)[0] === '0' && spells(Object.values(given), text)) return { 0: HIDDEN }
    return Object.fromEntries(Object.entries(given).map(([name, one]) => [text(name), value(one)]))
  }
  return { text, value: (given) => (needles.length === 0 ? given : value(given)) }
}

/** Returns whether the numbers or characters of a list spell something to mask. */
function spells(list: readonly unknown[], mask: Mask['text']): boolean {
  const isOf = (type: 'number' | 'string') =>
    list.length >= MIN_SECRET && list.every((one) => typeof one === type && String(one).length <= 3)
  const joined = isOf('number') ? list.join(',') : isOf('string') ? list.join('') : ''
  return mask(joined) !== joined
}

/** Returns whether a text may be masked on the event loop: within about 10 ms, whatever it contains. */
export function isQuickToMask(secrets: readonly string[], bytes: number): boolean {
  if (secrets.length === 0) return true
  return bytes <= QUICK_BYTES && secrets.reduce((sum, { length }) => sum + length, 0) <= QUICK_SECRETS
}

/** Maximum bytes of a text that is masked on the event loop, and characters of all its secrets together. */
const QUICK_BYTES = 8 * 1024
const QUICK_SECRETS = 2_000

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
  const written = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())]
  const wide = Buffer.from(secret, 'utf16le')
  const bytes = [
    ...written.map((one) => Buffer.from(one)),
    ...[Buffer.from(secret, 'latin1'), wide, Buffer.from(wide).swap16()],
    Buffer.from(Buffer.from(secret).toString('base64')),
  ]
  const codes = bytes.flatMap((one) => [
    ...[one.toString('hex'), one.toString('hex').toUpperCase()],
    ...[one.toString('base64url'), one.toString('base64').replace(/={1,2}$/, '')],
    ...[0, 1, 2].flatMap((offset) => base64At(one, offset)),
  ])
  const numbers = [...Buffer.from(secret)]
  codes.push(...[',', ', ', ' ', '\n'].map((between) => numbers.join(between)))
  codes.push(numbers.map((one) => `0x${one.toString(16).padStart(2, '0')}`).join(', '))
  codes.push(...[0, 1, 2, 3, 4].map((offset) => base32At(Buffer.from(secret), offset)))
  return [...plain, ...codes.filter(({ length }) => length >= MIN_CODE)]
}

/** Returns the base64 characters that depend only on these bytes, after `offset` other bytes, in both alphabets. */
function base64At(bytes: Buffer, offset: number): string[] {
  const code = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  const whole = code.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
  return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')]
}

/** Returns the base32 characters (RFC 4648) that depend only on these bytes, after `offset` other bytes. */
function base32At(bytes: Buffer, offset: number): string {
  const bits = [...bytes].map((one) => one.toString(2).padStart(8, '0')).join('')
  const start = (5 - ((offset * 8) % 5)) % 5
  const groups = bits.slice(start).match(/.{5}/g) ?? []
  return groups.map((group) => BASE32.charAt(Number.parseInt(group, 2))).join('')
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function maskText(given: string, needles: readonly string[], letters: readonly string[]): string {
  const found: Range[] = []
  let text = given
  const backs: ((from: number, to: number) => Range)[] = []
  for (let turn = 0; turn <= TURNS; turn += 1) {
    for (const range of joinRanges([...findAll(text, needles), ...findLetters(text, letters)]))
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
  for (const [from, to] of joinRanges(found)) {
    parts.push(text.slice(shown, from), HIDDEN)
    shown = to
  }
  return [...parts, text.slice(shown)].join('')
}

/** Sorts ranges and joins those that overlap or touch, which count as one secret. */
function joinRanges(found: Range[]): Range[] {
  const joined: Range[] = []
  for (const [from, to] of found.sort(([one], [other]) => one - other)) {
    const last = joined.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}
