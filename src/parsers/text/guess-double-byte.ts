import { likenessOf } from '../elements/language.ts'

/** The range of the frequent characters of a double-byte encoding. */
type Zone = {
  encoding: string
  isCommon(first: number, second: number): boolean
  isKana?: (first: number) => boolean
}

const high = (byte: number) => byte >= 0xa1 && byte <= 0xfe
const zones: Zone[] = [
  {
    encoding: 'shift_jis',
    isCommon: (first) => first >= 0x81 && first <= 0x97,
    isKana: (first) => first === 0x82 || first === 0x83,
  },
  {
    encoding: 'euc-jp',
    isCommon: (first, second) =>
      high(second) && ((first >= 0xa1 && first <= 0xa5) || (first >= 0xb0 && first <= 0xcf)),
    isKana: (first) => first === 0xa4 || first === 0xa5,
  },
  { encoding: 'euc-kr', isCommon: (first, second) => high(second) && first >= 0xb0 && first <= 0xc8 },
  {
    encoding: 'gb18030',
    isCommon: (first, second) =>
      high(second) && ((first >= 0xb0 && first <= 0xd7) || first === 0xa1 || first === 0xa3),
  },
  { encoding: 'big5', isCommon: (first) => (first >= 0xa4 && first <= 0xc6) || first === 0xa1 },
]

const MIN_COMMON = 0.8
const MIN_KANA = 0.15
/** The minimum share of characters next to another one; in a European text they are alone. */
const MIN_TOGETHER = 0.6
const FEW_SIGNS = 12
const SIGN_BYTES = 4_000

/** `fit` is comparable with that of an encoding of one byte per letter; `signs` are those of two bytes. */
export type DoubleByteGuess = { encoding: string; fit: number; signs: number }

/**
 * Returns the Japanese, Korean or Chinese encoding of a text, by the position of its characters in the tables; null if it
 * is none of them. Hangul and kana also lie within the Chinese tables, so they are tested first.
 */
export function guessDoubleByte(bytes: Uint8Array): DoubleByteGuess | null {
  const found = zones.flatMap((zone) => {
    const counts = isValid(bytes, zone.encoding) ? countSigns(bytes, zone) : null
    if (!counts || counts.common < MIN_COMMON || counts.together < MIN_TOGETHER) return []
    if (counts.signs < FEW_SIGNS && isLatinWord(bytes, zone.encoding)) return []
    const likeness = likenessOf(signsOf(bytes, zone.encoding))
    return { encoding: zone.encoding, ...counts, fit: counts.common + likeness }
  })
  return choose(found)
}

type Found = DoubleByteGuess & { common: number; kana: number }

function choose(found: Found[]): DoubleByteGuess | null {
  if (found.some(({ signs }) => signs < FEW_SIGNS)) {
    const byUse = found.sort((one, other) => rankOf(one) - rankOf(other))
    return byUse.sort((one, other) => other.fit - other.common - (one.fit - one.common))[0] ?? null
  }
  const japanese = found.filter(({ kana }) => kana >= MIN_KANA).sort((a, b) => b.kana - a.kana)[0]
  if (japanese) return japanese
  const korean = found.find(({ encoding, common }) => encoding === 'euc-kr' && common > 0.9)
  return korean ?? found.sort((a, b) => b.common - a.common)[0] ?? null
}

/** The place among the encodings by how often they are used. */
const rankOf = ({ encoding }: Found) => ['gb18030', 'shift_jis', 'euc-kr', 'big5', 'euc-jp'].indexOf(encoding)

/** Returns the text of a sample without ASCII, which would hide its language. */
const signsOf = (bytes: Uint8Array, encoding: string) =>
  new TextDecoder(encoding).decode(bytes.subarray(0, SIGN_BYTES)).replace(/[\0-\x7f]+/g, ' ')

/** Returns true if a short text is words in Latin letters whose ASCII letters a double-byte encoding takes for halves of signs. */
function isLatinWord(bytes: Uint8Array, encoding: string): boolean {
  const letters = (text: string) => text.match(/[a-z]/gi)?.length ?? 0
  const asRead = new TextDecoder(encoding).decode(bytes)
  if (letters(asRead) === letters(new TextDecoder('windows-1252').decode(bytes))) return false
  return ['windows-1250', 'iso-8859-2', 'windows-1252'].some((one) =>
    /^(?:\p{Lu}?\p{Ll}+(?:[\s,;.:-]+|$))+$/u.test(new TextDecoder(one).decode(bytes).replace(/\d/g, '')),
  )
}

function isValid(bytes: Uint8Array, encoding: string): boolean {
  try {
    // A sample may end within a character.
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** A unit or a part of a date is often alone behind its number. */
const isDigit = (byte = 0) => byte >= 0x30 && byte <= 0x39

function countSigns(
  bytes: Uint8Array,
  { encoding, isCommon, isKana }: Zone,
): { signs: number; common: number; kana: number; together: number } | null {
  let [signs, common, kana, together, end] = [0, 0, 0, 0, -1]
  for (let at = 0; at + 1 < bytes.length; at += 1) {
    const first = bytes[at] ?? 0
    if (first < 0x80) continue
    signs += 1
    // Half-width katakana are single bytes, and rare.
    if (encoding === 'shift_jis' && first >= 0xa1 && first <= 0xdf) continue
    if (isCommon(first, bytes[at + 1] ?? 0)) common += 1
    if (isKana?.(first)) kana += 1
    if (end === at || isDigit(bytes[at - 1]) || (bytes[at + 2] ?? 0) >= 0x80) together += 1
    at += 1
    end = at + 1
  }
  if (signs < 2) return null
  return { signs, common: common / signs, kana: kana / signs, together: together / signs }
}
