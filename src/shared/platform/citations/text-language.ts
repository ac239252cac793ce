export type TextLanguage = 'en' | 'fr' | 'de' | 'es'

const SMALL_WORDS: Record<TextLanguage, ReadonlySet<string>> = {
  en: new Set(
    'the of and to is are was were it its that for with on by from this be has have not must may than an in at'.split(
      ' ',
    ),
  ),
  fr: new Set(
    'le la les des du et est sont a au aux pour avec sur par cette ce il elle ne pas un une dans qui que de doit peut plus se ont mais ou ses son par été'.split(
      ' ',
    ),
  ),
  de: new Set(
    'der die das den dem des und ist sind war wird werden von für mit auf im ein eine einen nicht zu bei am es muss darf als aus'.split(
      ' ',
    ),
  ),
  es: new Set(
    'el la los las del y es son fue por para con en este esta se no un una al su que de debe puede más lo'.split(
      ' ',
    ),
  ),
}

/** The language a text is written in, by its small words. Null when they do not tell. */
export function languageOf(text: string): TextLanguage | null {
  const words =
    text
      .slice(0, 4_000)
      .toLowerCase()
      .match(/(?:[ldnsj]|qu)['’](?=\p{L})|\p{L}+/gu) ?? []
  const marks: Record<TextLanguage, RegExp> = {
    en: /\bthe\b/,
    fr: /[àâçèêëîïôùûœ]|^(?:[ldnsj]|qu)['’]/,
    de: /[äöüß]/,
    es: /[ñáíóú¿¡]/,
  }
  const counts = (Object.keys(SMALL_WORDS) as TextLanguage[]).map((language) => ({
    language,
    count:
      words.filter((word) => SMALL_WORDS[language].has(word)).length +
      words.filter((word) => marks[language].test(word)).length,
  }))
  const [first, second] = counts.sort((a, b) => b.count - a.count)
  return first && second && first.count > second.count ? first.language : null
}

/** Lower case, without accents. */
export const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
