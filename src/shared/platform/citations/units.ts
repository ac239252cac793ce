import { fold } from './text-language.ts'

/** A unit of measure; values of the same kind compare after they are multiplied by the factor. */
export type Unit = { kind: string; factor: number }

const YEAR = 365.25
const DEFINED: [string, number, string][] = [
  ['percent', 1, '% percent pct prozent'],
  ['EUR', 1, '€ eur euro euros'],
  ['USD', 1, '$ usd us$ dollar dollars dolares'],
  ['GBP', 1, '£ gbp pound pounds livres pfund libras sterling'],
  ['CHF', 1, 'chf franken francs sfr'],
  ['JPY', 1, '¥ jpy yen'],
  ['m2', 1, 'm² m2 qm sqm'],
  ['m2', 0.092903, 'sqft ft²'],
  ['m2', 10_000, 'ha hectare hectares hektar hectareas'],
  ['m2', 1e6, 'km² km2'],
  ['m3', 1, 'm³ m3'],
  ['m3', 0.001, 'l litre litres liter liters litro litros'],
  ['m3', 1e-5, 'cl centilitre centilitres centiliter zentiliter'],
  ['m3', 1e-6, 'ml millilitre millilitres milliliter milliliters mililitros cm3 cc'],
  ['m3', 0.1, 'hl hectolitre hectolitres hektoliter'],
  ['m3', 0.158987, 'barrel barrels'],
  ['m3', 0.00378541, 'gallon gallons'],
  ['m', 1, 'm metre metres meter meters metros metro'],
  ['m', 1_000, 'km kilometre kilometres kilometer kilometers kilometros'],
  ['m', 0.01, 'cm centimetre centimetres centimeter centimeters zentimeter centimetros'],
  ['m', 0.001, 'mm millimetre millimetres millimeter millimeters milimetros'],
  ['m', 1609.34, 'mile miles milles meile meilen milla millas'],
  ['m', 0.0254, 'inch inches zoll pouce pouces pulgadas'],
  ['m', 0.9144, 'yard yards'],
  ['m', 0.3048, 'ft foot feet fuss pied pieds pies'],
  ['kg', 1, 'kg kilogram kilograms kilo kilos kilogramm kilogrammes kilogramos'],
  ['kg', 0.001, 'g gram grams gramm grammes gramos'],
  ['kg', 1e-6, 'mg milligram milligrams milligramm milligramme milligrammes miligramos'],
  ['kg', 1e-9, 'µg mcg microgram microgrammes mikrogramm microgramos'],
  ['kg', 1e6, 'kt kilotonne kilotonnes kilotons kilotonnen'],
  ['kg', 0.453592, 'lb lbs'],
  ['kg', 0.0283495, 'oz ounce ounces'],
  ['kg', 1_000, 't tonne tonnes ton tons tonnen toneladas'],
  ['day', 1, 'day days jour jours tag tage tagen dia dias'],
  ['day', 7, 'week weeks semaine semaines woche wochen semana semanas'],
  ['day', YEAR / 12, 'month months mois monat monate monaten mes meses'],
  ['day', YEAR / 4, 'quarters trimestres quartale'],
  ['day', YEAR, 'year years an ans annee annees jahr jahre jahren ano anos'],
  ['day', 1 / 24, 'h hour hours heure heures stunde stunden hora horas'],
  ['day', 1 / 1440, 'min minute minutes minuten minutos minuto'],
  ['day', 10 * YEAR, 'decade decades decennies jahrzehnt jahrzehnte decadas'],
  ['day', 1 / 86400, 's sec second seconds seconde secondes sekunde sekunden segundos segundo'],
  ['C', 1, '°c celsius'],
  ['F', 1, '°f fahrenheit'],
  ['Wh', 1_000, 'kwh kilowattstunden kilowattheures'],
  ['Wh', 1e6, 'mwh'],
  ['Wh', 1e9, 'gwh'],
  ['W', 1, 'w watt watts vatios'],
  ['W', 1_000, 'kw kilowatt kilowatts'],
  ['W', 1e6, 'mw megawatt megawatts'],
  ['B', 1_000, 'kb kilobyte kilobytes'],
  ['B', 1e6, 'mb megabyte megabytes mo'],
  ['B', 1e9, 'gb gigabyte gigabytes go'],
  ['B', 1e12, 'tb terabyte terabytes'],
  ['km/h', 1, 'km/h kmh'],
  ['km/h', 3.6, 'm/s'],
  ['km/h', 1.60934, 'mph'],
  ['km/h', 1.852, 'knots noeuds knoten nudos'],
  ['Pa', 1e5, 'bar bars'],
  ['Pa', 1_000, 'kpa'],
  ['A', 1, 'ampere amperes amp amps'],
  ['dB', 1, 'db decibel decibels'],
  ['J', 1_000, 'kj kilojoule kilojoules'],
  ['cal', 1, 'kcal calories kalorien calorias'],
  ['Hz', 1, 'hz hertz'],
  ['V', 1, 'v volt volts'],
]
const UNITS = new Map(
  DEFINED.flatMap(([kind, factor, words]) =>
    words.split(' ').map((word) => [word, { kind, factor }] as const),
  ),
)
const PHRASES: [RegExp, Unit][] = [
  [/^(?:per cent|pour cent|por ciento)/, { kind: 'percent', factor: 1 }],
  [/^(?:square met(?:er|re)s?|metres? carres?|quadratmetern?|metros? cuadrados?)/, { kind: 'm2', factor: 1 }],
  [
    /^(?:degrees? fahrenheit|grad fahrenheit|degres? fahrenheit|grados? fahrenheit)/,
    { kind: 'F', factor: 1 },
  ],
  [/^(?:nautical miles|milles marins|seemeilen|millas nauticas)/, { kind: 'm', factor: 1852 }],
  [
    /^(?:met(?:er|re)s? (?:per second|par seconde|pro sekunde)|metros por segundo)/,
    { kind: 'km/h', factor: 3.6 },
  ],
  [/^miles per hour/, { kind: 'km/h', factor: 1.60934 }],
  [/^(?:square (?:feet|foot))/, { kind: 'm2', factor: 0.092903 }],
  [/^(?:cubic met(?:er|re)s?|metres? cubes?|kubikmetern?|metros? cubicos?)/, { kind: 'm3', factor: 1 }],
  [
    /^(?:degres? celsius|degrees? celsius|grad celsius|grados? celsius|degrees c\b)/,
    { kind: 'C', factor: 1 },
  ],
  [/^(?:swiss francs?|francs? suisses?|schweizer franken|francos suizos)/, { kind: 'CHF', factor: 1 }],
  [/^(?:us dollars?|u\.s\. dollars?|us-dollar)/, { kind: 'USD', factor: 1 }],
  [
    /^(?:km\/h|kilomet(?:er|re)s? (?:per hour|an hour|par heure|a l['’]heure|pro stunde)|kilometros por hora|stundenkilometer)/,
    { kind: 'km/h', factor: 1 },
  ],
]
const SYMBOL_BEFORE = /(US\$|[€$£¥]|\b(?:EUR|USD|GBP|CHF|JPY))\s?[-−]?$/

/** Whether a word is a unit, by the word as it is written. */
export const isUnitWord = (word: string) =>
  UNITS.has(fold(word)) || /^(?:per|pour|por)?\s?cent/.test(fold(word))

/** The unit ahead of or behind a number. Null when none is known. */
export function unitBeside(before: string, after: string): Unit | null {
  const symbol = SYMBOL_BEFORE.exec(before)?.[1]
  if (symbol) return UNITS.get(symbol.toLowerCase()) ?? null
  return unitBehind(after)?.unit ?? null
}

const FILLER = /^[\s-]{0,2}(?:(?:calendar|business|working|consecutive|full|whole|jours calendaires)\s)?/

/** Returns the unit at the beginning of a text and its length; null for an unknown one. */
export function unitBehind(after: string): { unit: Unit; length: number } | null {
  // A letter with an accent stays one letter, so that lengths agree.
  const raw = after.slice(0, 60).normalize('NFC').replace(/²/g, '2').replace(/³/g, '3')
  const all = fold(raw)
  const filler = FILLER.exec(all)?.[0] ?? ''
  const article = /^(?:de |d'|d’)/.exec(all.slice(filler.length))?.[0] ?? ''
  const ahead = filler.length + article.length
  const behind = all.slice(ahead)
  for (const [pattern, unit] of PHRASES) {
    const found = pattern.exec(behind)
    if (found) return { unit, length: ahead + found[0].length }
  }
  const word = /^(?:%|€|\$|£|¥|°[cf]\b|µg\b|\p{L}+(?:\/\p{L}+)?[23]?)/u.exec(behind)?.[0] ?? ''
  const unit = UNITS.get(word)
  return unit ? { unit, length: ahead + word.length } : null
}
