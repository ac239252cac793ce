import type { Language } from '#shared/platform/primitives.ts'

/** Codes of ISO 15924 by script. */
const scripts: [RegExp, string][] = [
  [/\p{sc=Han}/u, 'Hani'],
  [/\p{sc=Hiragana}/u, 'Jpan'],
  [/\p{sc=Katakana}/u, 'Jpan'],
  [/\p{sc=Hangul}/u, 'Kore'],
  [/\p{sc=Bopomofo}/u, 'Bopo'],
  [/\p{sc=Arabic}/u, 'Arab'],
  [/\p{sc=Hebrew}/u, 'Hebr'],
  [/\p{sc=Devanagari}/u, 'Deva'],
  [/\p{sc=Bengali}/u, 'Beng'],
  [/\p{sc=Gurmukhi}/u, 'Guru'],
  [/\p{sc=Gujarati}/u, 'Gujr'],
  [/\p{sc=Tamil}/u, 'Taml'],
  [/\p{sc=Telugu}/u, 'Telu'],
  [/\p{sc=Kannada}/u, 'Knda'],
  [/\p{sc=Malayalam}/u, 'Mlym'],
  [/\p{sc=Sinhala}/u, 'Sinh'],
  [/\p{sc=Thai}/u, 'Thai'],
  [/\p{sc=Lao}/u, 'Laoo'],
  [/\p{sc=Khmer}/u, 'Khmr'],
  [/\p{sc=Myanmar}/u, 'Mymr'],
  [/\p{sc=Tibetan}/u, 'Tibt'],
  [/\p{sc=Ethiopic}/u, 'Ethi'],
  [/\p{sc=Armenian}/u, 'Armn'],
  [/\p{sc=Georgian}/u, 'Geor'],
]

/** Returns the script of a character as a code of ISO 15924: `Zsye` for emoji, `Zsym` for other signs. */
export function scriptOf(sign: string): string {
  const found = scripts.find(([script]) => script.test(sign))?.[1]
  // Punctuation and full-width forms come with the ideographs.
  if (!found && /[\u3000-\u303f\uff00-\uffef]/.test(sign)) return 'Hani'
  return found ?? (/\p{Extended_Pictographic}/u.test(sign) ? 'Zsye' : 'Zsym')
}

/** Returns the names of scripts as a list in a language. Han characters are called Chinese. */
export function nameScripts(codes: readonly string[], language: Language): string {
  const names = new Intl.DisplayNames(language, { type: 'script' })
  const chinese = new Intl.DisplayNames(language, { type: 'language' }).of('zh')
  const named = codes.map((code) => (code === 'Hani' ? chinese : names.of(code)) ?? code)
  return new Intl.ListFormat(language).format(named)
}
