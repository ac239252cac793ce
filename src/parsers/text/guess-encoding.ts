import chardet from 'chardet'
import { likenessOf } from '../elements/language.ts'
import { guessDoubleByte } from './guess-double-byte.ts'

/** Bytes in the sample: enough for statistics, and fast. */
const SAMPLE_BYTES = 128 * 1024
/** Another encoding must be this much likelier than Windows-1252, the encoding of most older European files. */
const LEAD = 5
const MIN_CONFIDENCE = 15

/** Recognised single-byte encodings, by the names of the library with those of `TextDecoder`. */
const single: Record<string, string> = {
  'windows-1250': 'windows-1250',
  'windows-1251': 'windows-1251',
  'windows-1253': 'windows-1253',
  'windows-1254': 'windows-1254',
  'windows-1255': 'windows-1255',
  'windows-1256': 'windows-1256',
  'ISO-8859-2': 'iso-8859-2',
  'ISO-8859-5': 'iso-8859-5',
  'ISO-8859-6': 'iso-8859-6',
  'ISO-8859-7': 'iso-8859-7',
  'ISO-8859-8': 'iso-8859-8',
  'ISO-8859-9': 'windows-1254',
  'KOI8-R': 'koi8-r',
}
/** Scripts other than Latin: most letters of such a text are beyond ASCII. */
const foreign = /125[1356]|8859-[5678]|koi8/

/** The likeliest encoding of a text that is not Unicode and has no byte order mark, by its statistics. */
export function guessEncoding(bytes: Uint8Array): string {
  const sample = sampleOf(bytes)
  const double = guessDoubleByte(sample)
  if (double) return double
  const script = isMostlyBeyondAscii(sample) ? guessScript(sample) : null
  if (script) return script
  const latin = guessLatin(sample)
  if (latin) return latin
  const likely = chardet.analyse(sample)
  const western = likely.find(({ name }) => name === 'windows-1252' || name === 'ISO-8859-1')?.confidence ?? 0
  for (const { name, confidence } of likely) {
    const encoding = single[name]
    if (!encoding || confidence < MIN_CONFIDENCE) continue
    if (foreign.test(encoding) ? isMostlyBeyondAscii(sample) : confidence >= western + LEAD) return encoding
  }
  return 'windows-1252'
}

/** Encodings of scripts other than Latin. The first of equally likely ones is used. */
const scripts = [
  ...(['windows-1251', 'koi8-r', 'koi8-u', 'ibm866', 'iso-8859-5', 'windows-1253'] as const),
  ...(['windows-1255', 'windows-1256', 'iso-8859-6', 'windows-874'] as const),
]
const SCRIPT_BYTES = 4_000
const SAME = 0.03
const MIN_LIKENESS = 0.5
const MIN_LEAD = 0.1

/** Returns the encoding in which a text is most like a language; null if it is not clearly better than Windows-1252. */
function guessScript(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, SCRIPT_BYTES)
  const scored = scripts.map((encoding) => ({ encoding, score: scoreOf(sample, encoding) }))
  const best = Math.max(...scored.map(({ score }) => score))
  if (best < MIN_LIKENESS || best < scoreOf(sample, 'windows-1252') + MIN_LEAD) return null
  return scored.find(({ score }) => score >= best - SAME)?.encoding ?? null
}

/** Encodings of languages in Latin letters. Windows-1252 comes first because it is the most frequent. */
const latins = ['windows-1252', 'windows-1250', 'iso-8859-2', 'windows-1254', 'windows-1257'] as const
/** A smaller lead counts in a text with several letters beyond ASCII. */
const MIN_LATIN_LEAD = 0.02
const SEVERAL = 4
/** The share of letters that cannot be where they are, in a text that is not Western. */
const MIN_ODD = 0.2

/** Returns the encoding that reads a Latin text clearly better than Windows-1252; null if none does. */
function guessLatin(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, SCRIPT_BYTES)
  const [western, ...others] = latins.map((encoding) => ({ encoding, ...scoreLatin(sample, encoding) }))
  if (!western) return null
  const isOdd = western.odd >= MIN_ODD && others.some(({ odd }) => odd === 0)
  const fitting = isOdd ? others.filter(({ odd }) => odd === 0) : others
  const best = fitting.reduce((most, one) => (one.score > most.score ? one : most))
  const isLong = sample.filter((byte) => byte > 127).length >= SEVERAL
  const lead = isLong ? MIN_LATIN_LEAD : MIN_LEAD
  return isOdd || best.score >= western.score + lead ? best.encoding : null
}

/** A sign that no word contains, between two letters. */
const IN_WORD = /(?<=\p{L})[^\0-\x7f\p{L}\p{M}\s‘’·‐–—\u00ad](?=\p{L})/gu
/** Signs that never begin a word, and fractions that never end one. */
const AROUND_WORD = /[£¥¦¬¯³¹¼½¾](?=\p{Ll}|(?!\p{ASCII})\p{L})|(?<=\p{L}{2})[¶¼½¾]/gu
const CONTROL = /[\x80-\x9f]/g
/** A capital behind a small letter, where one of the two is beyond ASCII. */
const CAPITAL_IN_WORD = /(?<=\p{Ll})(?!\p{ASCII})\p{Lu}|(?<=(?!\p{ASCII})\p{Ll})\p{Lu}/gu

/** Returns the share of foreign signs that cannot be where they are, and how much the text is like a language less that. */
function scoreLatin(bytes: Uint8Array, encoding: string): { score: number; odd: number } {
  const text = new TextDecoder(encoding).decode(bytes)
  const foreign = text.match(/[^\0-\x7f]/gu)?.length ?? 0
  const counts = [IN_WORD, AROUND_WORD, CONTROL, CAPITAL_IN_WORD].map(
    (signs) => text.match(signs)?.length ?? 0,
  )
  const odd = counts.reduce((sum, count) => sum + count, 0) / Math.max(1, foreign)
  return { score: likenessOf(text) - odd, odd }
}

/** A word with letters of Latin and of another script. */
const MIXED = /[a-z][^\P{L}\p{Script=Latin}]|[^\P{L}\p{Script=Latin}][a-z]/giu

/** Returns how much a text is like a language, less the share of foreign signs that are no letters or are in mixed words. */
function scoreOf(bytes: Uint8Array, encoding: string): number {
  const text = new TextDecoder(encoding).decode(bytes)
  const foreign = text.match(/[^\0-\x7f]/gu) ?? []
  const odd = foreign.filter((sign) => !/[\p{L}\p{M}«»“”„‘’…–—№€\u00a0]/u.test(sign)).length
  const mixed = text.match(MIXED)?.length ?? 0
  return likenessOf(text) - (odd + mixed) / Math.max(1, foreign.length)
}

/** Lines with letters beyond ASCII, from the whole file. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= SAMPLE_BYTES) return bytes
  const lines: Uint8Array[] = []
  let length = 0
  for (let at = 0; at < bytes.length && length < SAMPLE_BYTES; ) {
    const next = bytes.indexOf(10, at)
    const line = bytes.subarray(at, next < 0 ? bytes.length : next + 1)
    at += line.length
    if (!line.some((byte) => byte > 127)) continue
    lines.push(line.subarray(0, SAMPLE_BYTES - length))
    length += line.length
  }
  return Buffer.concat(lines)
}

function isMostlyBeyondAscii(bytes: Uint8Array): boolean {
  let [letters, beyond] = [0, 0]
  for (const byte of bytes) {
    if (byte > 127) beyond += 1
    else if ((byte | 32) >= 97 && (byte | 32) <= 122) letters += 1
  }
  return beyond > letters / 2
}
