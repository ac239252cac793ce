import { between, pick, type Random } from '../../bench/tables/made-table.ts'
import { type Language, sayNumber } from './say-number.ts'

/** A value of a slot; `unit` is an index into the units of its kind or the name of a currency. */
export type Value = {
  kind: string
  number: number
  other?: number
  unit?: string
  month?: number
  year?: number
}

const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF']
const CURRENCY_WORDS: Record<string, Record<Language, string>> = {
  EUR: { en: 'euros', fr: 'euros', de: 'Euro', es: 'euros' },
  USD: { en: 'dollars', fr: 'dollars', de: 'Dollar', es: 'dólares' },
  GBP: { en: 'pounds', fr: 'livres sterling', de: 'Pfund', es: 'libras' },
  CHF: { en: 'Swiss francs', fr: 'francs suisses', de: 'Schweizer Franken', es: 'francos suizos' },
}
const SIGNS: Record<string, string> = { EUR: '€', USD: '$', GBP: '£' }

type Words = Record<Language, string>
const unit = (en: string, fr: string, de: string, es: string): Words => ({ en, fr, de, es })
/** Units by slot: the sign and the words of the unit, then those of a wrong one. */
const UNITS: Record<string, { low: number; high: number; sign: string; words: Words; wrong: Words }> = {
  kg: {
    low: 12,
    high: 900,
    sign: 'kg',
    words: unit('kilograms', 'kilogrammes', 'Kilogramm', 'kilogramos'),
    wrong: unit('grams', 'tonnes', 'Gramm', 'toneladas'),
  },
  kw: {
    low: 3,
    high: 400,
    sign: 'kW',
    words: unit('kilowatts', 'kilowatts', 'Kilowatt', 'kilovatios'),
    wrong: unit('megawatts', 'watts', 'Megawatt', 'vatios'),
  },
  t: {
    low: 14,
    high: 9_000,
    sign: 't',
    words: unit('tonnes', 'tonnes', 'Tonnen', 'toneladas'),
    wrong: unit('kilograms', 'kilogrammes', 'Kilogramm', 'kilos'),
  },
  mg: {
    low: 5,
    high: 800,
    sign: 'mg',
    words: unit('milligrams', 'milligrammes', 'Milligramm', 'miligramos'),
    wrong: unit('grams', 'grammes', 'Gramm', 'gramos'),
  },
  ml: {
    low: 2,
    high: 750,
    sign: 'ml',
    words: unit('millilitres', 'millilitres', 'Milliliter', 'mililitros'),
    wrong: unit('litres', 'litres', 'Liter', 'litros'),
  },
  metre: {
    low: 21,
    high: 480,
    sign: 'm',
    words: unit('metres', 'mètres', 'Meter', 'metros'),
    wrong: unit('feet', 'kilomètres', 'Kilometer', 'kilómetros'),
  },
  km: {
    low: 13,
    high: 900,
    sign: 'km',
    words: unit('kilometres', 'kilomètres', 'Kilometer', 'kilómetros'),
    wrong: unit('miles', 'mètres', 'Meter', 'millas'),
  },
  kmh: {
    low: 30,
    high: 130,
    sign: 'km/h',
    words: unit('kilometres per hour', 'kilomètres à l’heure', 'Stundenkilometer', 'kilómetros por hora'),
    wrong: unit('mph', 'm/s', 'm/s', 'm/s'),
  },
  sqm: {
    low: 24,
    high: 400,
    sign: 'm²',
    words: unit('square metres', 'mètres carrés', 'Quadratmeter', 'metros cuadrados'),
    wrong: unit('hectares', 'hectares', 'Hektar', 'hectáreas'),
  },
  cbm: {
    low: 30,
    high: 9_000,
    sign: 'm³',
    words: unit('cubic metres', 'mètres cubes', 'Kubikmeter', 'metros cúbicos'),
    wrong: unit('litres', 'litres', 'Liter', 'litros'),
  },
  days: {
    low: 4,
    high: 90,
    sign: '',
    words: unit('days', 'jours', 'Tagen', 'días'),
    wrong: unit('weeks', 'semaines', 'Wochen', 'semanas'),
  },
  mth: {
    low: 3,
    high: 36,
    sign: '',
    words: unit('months', 'mois', 'Monaten', 'meses'),
    wrong: unit('weeks', 'jours', 'Wochen', 'años'),
  },
  yr: {
    low: 2,
    high: 12,
    sign: '',
    words: unit('years', 'ans', 'Jahre', 'años'),
    wrong: unit('months', 'mois', 'Monate', 'meses'),
  },
  hr: {
    low: 2,
    high: 48,
    sign: 'h',
    words: unit('hours', 'heures', 'Stunden', 'horas'),
    wrong: unit('minutes', 'jours', 'Tage', 'minutos'),
  },
  min: {
    low: 3,
    high: 90,
    sign: 'min',
    words: unit('minutes', 'minutes', 'Minuten', 'minutos'),
    wrong: unit('hours', 'heures', 'Stunden', 'horas'),
  },
  c: {
    low: 2,
    high: 60,
    sign: '°C',
    words: unit('degrees Celsius', 'degrés Celsius', 'Grad Celsius', 'grados Celsius'),
    wrong: unit('°F', '°F', '°F', '°F'),
  },
}

const MONTHS: Record<Language, string[]> = {
  en: 'January February March April May June July August September October November December'.split(' '),
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' '),
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' '),
}
const ORDINALS: Record<Language, string[]> = {
  en: 'third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' '),
  fr: 'troisième quatrième cinquième sixième septième huitième neuvième dixième onzième douzième'.split(' '),
  de: 'dritten vierten fünften sechsten siebten achten neunten zehnten elften zwölften'.split(' '),
  es: 'tercer cuarto quinto sexto séptimo octavo noveno décimo undécimo duodécimo'.split(' '),
}

/** A random value for a kind of slot. */
export function makeValue(kind: string, random: Random): Value {
  const measure = UNITS[kind]
  if (measure) return { kind, number: between(random, measure.low, measure.high) }
  if (kind === 'n') return { kind, number: between(random, 2, 999) * pick(random, [1, 1, 10, 37]) + 11 }
  if (kind === 'w') return { kind, number: between(random, 3, 14) }
  if (kind === 'o') return { kind, number: between(random, 3, 12) }
  if (kind === 'p')
    return { kind, number: pick(random, [between(random, 2, 95), between(random, 21, 950) / 10]) }
  if (kind === 'y') return { kind, number: between(random, 1880, 2025) }
  if (kind === 'h') return { kind, number: between(random, 6, 22), other: pick(random, [0, 0, 15, 30, 45]) }
  if (kind === 'mo') return { kind, number: between(random, 1, 12) }
  if (kind === 'r') return { kind, number: between(random, 3, 40), other: between(random, 45, 90) }
  if (kind === 'm') {
    const scale = pick(random, [1, 1, 1_000, 1e6])
    const base =
      scale === 1
        ? between(random, 14, 9_900)
        : scale === 1e6
          ? between(random, 12, 980) / 10
          : between(random, 15, 950)
    return { kind, number: Math.round(base * scale), unit: pick(random, CURRENCIES) }
  }
  return {
    kind,
    number: between(random, 1, 28),
    month: between(random, 1, 12),
    year: between(random, 1920, 2030),
  }
}

/** Another value: `!` a wrong number, `$` another currency, `^` another scale or unit. */
export function wrongValue(value: Value, mark: string, random: Random): Value {
  if (mark === '$')
    return {
      ...value,
      unit: pick(
        random,
        CURRENCIES.filter((one) => one !== value.unit),
      ),
    }
  if (mark === '^')
    return value.kind === 'm' ? { ...value, number: value.number * 1_000 } : { ...value, unit: 'wrong' }
  const part = random()
  if (value.month !== undefined) {
    if (part < 0.4) return { ...value, month: (value.month % 12) + 1 }
    if (part < 0.7 || value.kind === 'md') return { ...value, number: (value.number % 28) + 1 }
    return { ...value, year: (value.year ?? 0) + pick(random, [-1, 1, 10]) }
  }
  if (value.kind === 'h') return { ...value, number: (value.number % 22) + 1 }
  if (value.kind === 'r') return { ...value, other: (value.other ?? 0) + between(random, 3, 9) }
  if (['w', 'o', 'mo'].includes(value.kind))
    return { ...value, number: value.number === 3 ? 5 : value.number - 1 }
  if (value.kind === 'y') return { ...value, number: value.number + pick(random, [-1, 1, 10, -9]) }
  const swapped = Number([...String(value.number)].reverse().join(''))
  const isUsable = Number.isFinite(swapped) && Math.abs(swapped - value.number) > value.number * 0.03
  const others = [value.number * 10, value.number + Math.max(1, Math.round(value.number * 0.2))]
  return { ...value, number: pick(random, isUsable ? [swapped, ...others] : others) }
}

/** One of the usual notations of a value; a passage has digits more often than words. */
export function sayValue(value: Value, language: Language, random: Random): string {
  const { kind, number } = value
  const measure = UNITS[kind]
  const digits = digitsOf(number, language, random)
  if (measure) {
    const words = value.unit === 'wrong' ? measure.wrong[language] : measure.words[language]
    const name = measure.sign && value.unit !== 'wrong' ? pick(random, [measure.sign, words]) : words
    return `${number < 100 && random() < 0.25 && name === words ? sayNumber(number, language) : digits} ${name}`
  }
  if (kind === 'w') return pick(random, [sayNumber(number, language), String(number)])
  if (kind === 'n') return random() < 0.15 ? sayNumber(number, language) : digits
  if (kind === 'y') return String(number)
  if (kind === 'p')
    return `${digits}${pick(random, [' %', '%', ` ${{ en: 'percent', fr: 'pour cent', de: 'Prozent', es: 'por ciento' }[language]}`])}`
  if (kind === 'o')
    return random() < 0.5
      ? (ORDINALS[language][number - 3] ?? '')
      : `${number}${{ en: number === 3 ? 'rd' : 'th', fr: 'e', de: '.', es: '.º' }[language]}`
  if (kind === 'mo') return MONTHS[language][number - 1] ?? ''
  if (kind === 'r') return rangeOf(value, language, random)
  if (kind === 'h') return clockOf(value, language, random)
  if (kind === 'm') return moneyOf(value, language, random)
  return dateOf(value, language, random)
}

function digitsOf(value: number, language: Language, random: Random): string {
  const [whole = '', decimals] = String(Math.round(value * 100) / 100).split('.')
  const mark = { en: ',', fr: pick(random, ['\u202f', '\u00a0', ' ']), de: '.', es: '.' }[language]
  const isGrouped = whole.length > 4 || random() < 0.6
  const grouped = isGrouped ? whole.replace(/\B(?=(?:\d{3})+$)/g, mark) : whole
  return decimals ? `${grouped}${language === 'en' ? '.' : ','}${decimals}` : grouped
}

function rangeOf({ number, other = 0 }: Value, language: Language, random: Random): string {
  const joint = { en: 'and', fr: 'et', de: 'und', es: 'y' }[language]
  return random() < 0.7 ? `${number} ${joint} ${other}` : `${number}–${other}`
}

function clockOf({ number, other = 0 }: Value, language: Language, random: Random): string {
  const two = String(other).padStart(2, '0')
  const half = number < 12 ? 'am' : 'pm'
  const twelve = number > 12 ? number - 12 : number
  if (language === 'en')
    return pick(random, [`${number}:${two}`, other === 0 ? `${twelve} ${half}` : `${twelve}:${two} ${half}`])
  if (language === 'fr')
    return pick(
      random,
      other === 0 ? [`${number} h`, `${number} heures`] : [`${number} h ${two}`, `${number}h${two}`],
    )
  if (language === 'de')
    return pick(
      random,
      other === 0 ? [`${number} Uhr`, `${number}:00 Uhr`] : [`${number}:${two} Uhr`, `${number}.${two} Uhr`],
    )
  return pick(random, [`${number}:${two}`, `${number}:${two} h`])
}

function moneyOf({ number, unit: currency = 'EUR' }: Value, language: Language, random: Random): string {
  const words = CURRENCY_WORDS[currency]?.[language] ?? ''
  const sign = SIGNS[currency]
  const isLarge = number >= 1e6
  const scaled = isLarge ? number / (number >= 1e9 ? 1e9 : 1e6) : number
  const amount = digitsOf(scaled, language, random)
  const scale = !isLarge
    ? ''
    : number >= 1e9
      ? { en: ' billion', fr: ' milliards', de: ' Milliarden', es: ' mil millones' }[language]
      : { en: ' million', fr: ' millions', de: ' Millionen', es: ' millones' }[language]
  const of = !isLarge
    ? ''
    : { en: '', fr: /^[aeiou]/.test(words) ? 'd’' : 'de ', de: '', es: 'de ' }[language]
  const forms = [`${amount}${scale} ${of}${words}`]
  if (language === 'en')
    forms.push(
      sign ? `${sign}${amount}${scale}` : `${currency} ${amount}${scale}`,
      `${currency} ${amount}${scale}`,
    )
  else if (sign)
    forms.push(
      `${amount}${scale} ${isLarge && language !== 'de' ? 'd’'.replace('d’', language === 'fr' ? 'd’' : 'de ').replace('d’', sign === '€' ? '' : '') : ''}${sign}`,
    )
  forms.push(`${digitsOf(number, language, random)} ${words}`)
  if (language === 'en' && isLarge && number < 1e9 && sign) forms.push(`${sign}${amount}m`)
  if (language === 'de' && isLarge) forms.push(`${amount} ${number >= 1e9 ? 'Mrd.' : 'Mio.'} ${words}`)
  return pick(random, forms).replace(/ {2,}/g, ' ')
}

function dateOf({ kind, number, month = 1, year = 2000 }: Value, language: Language, random: Random): string {
  const name = MONTHS[language][month - 1] ?? ''
  const [day2, month2] = [String(number).padStart(2, '0'), String(month).padStart(2, '0')]
  const isShort = kind === 'md'
  const end = (gap: string) => (isShort ? '' : `${gap}${year}`)
  const forms: Record<Language, string[]> = {
    en: [
      `${number} ${name}${end(' ')}`,
      `${name} ${number}${end(', ')}`,
      `${name.slice(0, 3)} ${number}${end(', ')}`,
    ],
    fr: [`${number === 1 ? '1er' : number} ${name}${end(' ')}`],
    de: [`${number}. ${name}${end(' ')}`],
    es: [`${number} de ${name}${end(' de ')}`],
  }
  if (!isShort) {
    const separator = language === 'de' ? '.' : '/'
    forms[language].push(`${year}-${month2}-${day2}`)
    if (language !== 'en' || number > 12) forms[language].push([day2, month2, year].join(separator))
    if (language === 'de') forms.de.push(`${number}.${month}.${year}`)
    if (language === 'en') forms.en.push(`the ${ordinal(number)} of ${name} ${year}`)
  }
  return pick(random, forms[language])
}

const ordinal = (day: number) =>
  `${day}${day % 10 === 1 && day !== 11 ? 'st' : day % 10 === 2 && day !== 12 ? 'nd' : day % 10 === 3 && day !== 13 ? 'rd' : 'th'}`
