import { likenessesOf } from '../elements/language.ts'
import { alphabets } from './alphabets.ts'
import { decodeBytes } from './decode-bytes.ts'
import { guessDoubleByte } from './guess-double-byte.ts'
import { oddShare } from './odd-signs.ts'

/** Bytes in the sample: enough for statistics, and fast. */
const SAMPLE_BYTES = 128 * 1024

/** Returns the likeliest encoding of a text that is not Unicode and has no byte order mark, by its statistics. */
export function guessEncoding(bytes: Uint8Array): string {
  const sample = sampleOf(bytes)
  const double = guessDoubleByte(sample)
  if (double && double.signs >= MANY_SIGNS) return double.encoding
  const single = guessSingleByte(sample)
  return double && double.fit + LEAD >= single.fit ? double.encoding : single.encoding
}

/** From this many characters on, a double-byte encoding is certain. */
const MANY_SIGNS = 100
/** Lead that a single-byte encoding needs over a double-byte one of few characters. */
const LEAD = 0.2

/** Encodings of one byte per letter. The first of equally likely ones is used. */
const encodings = [
  ...['windows-1252', 'windows-1250', 'iso-8859-2', 'windows-1251', 'windows-1254', 'windows-1253'],
  ...['iso-8859-7', 'windows-1257', 'windows-1255', 'windows-1256', 'koi8-r', 'koi8-u', 'iso-8859-5'],
  ...['iso-8859-6', 'ibm866'],
]
const rareEncodings = ['windows-874', 'windows-1258', 'macintosh', 'ibm850', 'ibm852', 'ibm857', 'ibm737']
/** Minimum lead of a rare encoding over the others. */
const RARITY = 0.1
/** Minimum lead over Windows-1252, the encoding of most older European files. */
const WESTERN_LEAD = 0.004

function guessSingleByte(sample: Uint8Array): { encoding: string; fit: number } {
  const words = foreignWords(sample)
  let best = { encoding: 'windows-1252', fit: fitOf(words, 'windows-1252') + WESTERN_LEAD }
  const compare = (encoding: string, fit: number) => {
    if (fit > best.fit) best = { encoding, fit }
  }
  for (const encoding of encodings) compare(encoding, fitOf(words, encoding))
  for (const encoding of rareEncodings) compare(encoding, fitOf(words, encoding) - RARITY)
  return best
}

const ODD_WEIGHT = 3
/** Likeness assumed for languages that the statistics lack. */
const UNKNOWN_LIKENESS = 0.3

/** Returns how well words fit the language they are most like in this encoding: at most 2, and far less for wrongly mapped letters. */
function fitOf(words: Uint8Array, encoding: string): number {
  const text = decodeBytes(words, encoding).normalize('NFC')
  const letters = [...text.toLowerCase()].filter(
    (sign) => /[^\0-\x7f]/.test(sign) && /[\p{L}\p{M}]/u.test(sign),
  )
  const likenesses = likenessesOf(text)
  let best = 0
  for (const [language, alphabet] of alphabets) {
    const known = letters.filter((letter) => alphabet.has(letter)).length / Math.max(1, letters.length)
    best = Math.max(best, known + (likenesses[language] ?? (isKnown(language) ? 0 : UNKNOWN_LIKENESS)))
  }
  return best - ODD_WEIGHT * oddShare(text)
}

const isKnown = (language: string) => language !== 'ga' && language !== 'mk'

/** Bytes of the words that are compared. */
const WORD_BYTES = 3_000
const WORD = /[A-Za-z\x80-\xff]+/g
const FOREIGN = /[\x80-\xff]/

/**
 * Returns the words with bytes beyond ASCII, each once, spread over the sample. Words in ASCII are the same in every
 * encoding: in a table or a program they are most of the text and say nothing.
 */
function foreignWords(sample: Uint8Array): Uint8Array {
  const all = Buffer.from(sample).toString('latin1').match(WORD) ?? []
  const words = [...new Set(all.filter((word) => FOREIGN.test(word)))]
  const bytes = words.reduce((sum, word) => sum + word.length + 1, 0)
  const step = Math.max(1, Math.ceil(bytes / WORD_BYTES))
  return Buffer.from(words.filter((_, at) => at % step === 0).join(' '), 'latin1')
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
