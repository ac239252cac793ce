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
  const likely = chardet.analyse(sample)
  const western = likely.find(({ name }) => name === 'windows-1252' || name === 'ISO-8859-1')?.confidence ?? 0
  for (const { name, confidence } of likely) {
    const encoding = single[name]
    if (!encoding || confidence < MIN_CONFIDENCE) continue
    if (foreign.test(encoding) ? isMostlyBeyondAscii(sample) : confidence >= western + LEAD) return encoding
  }
  return 'windows-1252'
}

/** Encodings of scripts other than Latin; of two that read a text as well, the first is meant. */
const scripts = [
  ...(['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5', 'windows-1253', 'windows-1255'] as const),
  ...(['windows-1256', 'iso-8859-6', 'windows-874'] as const),
]
const SCRIPT_BYTES = 4_000
const SAME = 0.03
const MIN_LIKENESS = 0.5
const MIN_LEAD = 0.1

/** The encoding in which a text is most like a language, where that is clearly more than as a Western text. */
function guessScript(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, SCRIPT_BYTES)
  const scored = scripts.map((encoding) => ({ encoding, score: scoreOf(sample, encoding) }))
  const best = Math.max(...scored.map(({ score }) => score))
  if (best < MIN_LIKENESS || best < scoreOf(sample, 'windows-1252') + MIN_LEAD) return null
  return scored.find(({ score }) => score >= best - SAME)?.encoding ?? null
}

/** How much a text is like a language, less the share of its foreign signs that are no letters there. */
function scoreOf(bytes: Uint8Array, encoding: string): number {
  const text = new TextDecoder(encoding).decode(bytes)
  const foreign = text.match(/[^\0-\x7f]/gu) ?? []
  const odd = foreign.filter((sign) => !/[\p{L}\p{M}«»“”„‘’…–—№€\u00a0]/u.test(sign)).length
  return likenessOf(text) - odd / Math.max(1, foreign.length)
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
