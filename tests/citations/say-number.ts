export type Language = 'en' | 'fr' | 'de' | 'es'

const SMALL: Record<Language, string[]> = {
  en: 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  ),
  fr: 'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf'.split(
    ' ',
  ),
  de: 'null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn'.split(
    ' ',
  ),
  es: 'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve'.split(
    ' ',
  ),
}
const TENS: Record<Language, string[]> = {
  en: 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' '),
  fr: 'vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt'.split(' '),
  de: 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' '),
  es: 'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa'.split(' '),
}
const HUNDREDS =
  'cien doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos'.split(
    ' ',
  )

/** A whole number from 0 to 999,999 in words, as people write it. */
export function sayNumber(value: number, language: Language): string {
  const thousands = Math.floor(value / 1_000)
  if (thousands === 0) return belowThousand(value, language)
  const rest = value % 1_000
  const unit = { en: 'thousand', fr: 'mille', de: 'tausend', es: 'mil' }[language]
  const count = thousands === 1 && language !== 'en' ? '' : belowThousand(thousands, language)
  const gap = language === 'de' ? '' : ' '
  return [count, unit, rest > 0 ? belowThousand(rest, language) : ''].filter(Boolean).join(gap)
}

function belowThousand(value: number, language: Language): string {
  const [hundreds, rest] = [Math.floor(value / 100), value % 100]
  const low = rest > 0 || hundreds === 0 ? belowHundred(rest, language) : ''
  if (hundreds === 0) return low
  const digit = SMALL[language][hundreds] ?? ''
  if (language === 'en') return `${digit} hundred${low ? ` and ${low}` : ''}`
  if (language === 'de') return `${digit}hundert${low}`
  if (language === 'es')
    return hundreds === 1 && low ? `ciento ${low}` : `${HUNDREDS[hundreds - 1]} ${low}`.trim()
  return `${hundreds > 1 ? `${digit} ` : ''}cent${hundreds > 1 && !low ? 's' : ''} ${low}`.trim()
}

function belowHundred(value: number, language: Language): string {
  const small = SMALL[language][value]
  if (small !== undefined) return small
  const [tens, digit] = [TENS[language][Math.floor(value / 10) - 2] ?? '', value % 10]
  const one = SMALL[language][digit] ?? ''
  if (language === 'de') return digit === 0 ? tens : `${one}und${tens}`
  if (language === 'en') return digit === 0 ? tens : `${tens}-${one}`
  if (language === 'fr') return french(value, tens)
  const accented = { 2: 'veintidós', 3: 'veintitrés', 6: 'veintiséis' }[digit]
  if (value > 20 && value < 30) return accented ?? `veinti${one}`
  return digit === 0 ? tens : `${tens} y ${one}`
}

function french(value: number, tens: string): string {
  const base = value >= 70 && value < 80 ? 60 : value >= 80 ? 80 : value - (value % 10)
  const rest = value - base
  if (rest === 0) return base === 80 ? `${tens}s` : tens
  return (rest === 1 || rest === 11) && base < 80
    ? `${tens} et ${SMALL.fr[rest]}`
    : `${tens}-${SMALL.fr[rest]}`
}
