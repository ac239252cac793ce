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
/** The encodings by how often they are used. */
const byUse = ['gb18030', 'shift_jis', 'euc-kr', 'big5', 'euc-jp']

/**
 * The Japanese, Korean or Chinese encoding of a text, by the position of its characters in the tables; null if it is none
 * of them. Hangul and kana also lie within the Chinese tables, so they are tested first.
 */
export function guessDoubleByte(bytes: Uint8Array): string | null {
  const found = zones.flatMap((zone) => {
    const counts = isValid(bytes, zone.encoding) ? countSigns(bytes, zone) : null
    if (!counts || counts.common < MIN_COMMON || counts.together < MIN_TOGETHER) return []
    if (counts.signs < FEW_SIGNS && isLatinWord(bytes, zone.encoding)) return []
    return { encoding: zone.encoding, ...counts }
  })
  if (found.some(({ signs }) => signs < FEW_SIGNS)) return mostAlike(bytes, found)
  const japanese = found.filter(({ kana }) => kana >= MIN_KANA).sort((a, b) => b.kana - a.kana)[0]
  if (japanese) return japanese.encoding
  const korean = found.find(({ encoding, common }) => encoding === 'euc-kr' && common > 0.9)
  if (korean) return korean.encoding
  return found.sort((a, b) => b.common - a.common)[0]?.encoding ?? null
}

/** Returns the encoding in which a short text is most like a language; statistics of its signs would say little. */
function mostAlike(bytes: Uint8Array, found: { encoding: string }[]): string | null {
  const scored = byUse
    .filter((encoding) => found.some((one) => one.encoding === encoding))
    .map((encoding) => ({ encoding, score: likenessOf(new TextDecoder(encoding).decode(bytes)) }))
  return scored.sort((a, b) => b.score - a.score)[0]?.encoding ?? null
}

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
    if (end === at || (bytes[at + 2] ?? 0) >= 0x80) together += 1
    at += 1
    end = at + 1
  }
  if (signs < 2) return null
  return { signs, common: common / signs, kana: kana / signs, together: together / signs }
}
