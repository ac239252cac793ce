import { fold } from './text-language.ts'

/** A unit of measure; values of the same kind are compared after multiplying by the factor. */
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
  ['m', 1, 'm metre metres meter meters metros metro'],
  ['m', 1_000, 'km kilometre kilometres kilometer kilometers kilometros'],
  ['m', 0.01, 'cm centimetre centimetres centimeter centimeters zentimeter centimetros'],
  ['m', 0.001, 'mm millimetre millimetres millimeter millimeters milimetros'],
  ['m', 1609.34, 'mile miles'],
  ['m', 0.3048, 'ft foot feet'],
  ['kg', 1, 'kg kilogram kilograms kilo kilos kilogramm kilogrammes kilogramos'],
  ['kg', 0.001, 'g gram grams gramm grammes gramos'],
  ['kg', 1_000, 't tonne tonnes ton tons tonnen toneladas'],
  ['day', 1, 'day days jour jours tag tage tagen dia dias'],
  ['day', 7, 'week weeks semaine semaines woche wochen semana semanas'],
  ['day', YEAR / 12, 'month months mois monat monate monaten mes meses'],
  ['day', YEAR / 4, 'quarters trimestres quartale'],
  ['day', YEAR, 'year years an ans annee annees jahr jahre jahren ano anos'],
  ['day', 1 / 24, 'h hour hours heure heures stunde stunden hora horas'],
  ['day', 1 / 1440, 'min minute minutes minuten minutos minuto'],
  ['day', 1 / 86400, 's sec second seconds seconde secondes sekunde sekunden segundos segundo'],
  ['C', 1, '°c celsius'],
  ['F', 1, '°f fahrenheit'],
  ['Wh', 1_000, 'kwh'],
  ['Wh', 1e6, 'mwh'],
  ['Wh', 1e9, 'gwh'],
  ['W', 1, 'w watt watts vatios'],
  ['W', 1_000, 'kw kilowatt kilowatts'],
  ['W', 1e6, 'mw megawatt megawatts'],
  ['B', 1e6, 'mb megabyte megabytes'],
  ['B', 1e9, 'gb gigabyte gigabytes go'],
  ['B', 1e12, 'tb terabyte terabytes'],
  ['km/h', 1, 'km/h kmh'],
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
  [/^(?:square (?:feet|foot))/, { kind: 'm2', factor: 0.092903 }],
  [/^(?:cubic met(?:er|re)s?|metres? cubes?|kubikmetern?|metros? cubicos?)/, { kind: 'm3', factor: 1 }],
  [
    /^(?:degres? celsius|degrees? celsius|grad celsius|grados? celsius|degrees c\b)/,
    { kind: 'C', factor: 1 },
  ],
  [/^(?:swiss francs?|francs? suisses?|schweizer franken|francos suizos)/, { kind: 'CHF', factor: 1 }],
  [/^(?:us dollars?|u\.s\. dollars?|us-dollar)/, { kind: 'USD', factor: 1 }],
  [
    /^(?:km\/h|kilomet(?:er|re)s? (?:per hour|par heure|pro stunde)|stundenkilometer)/,
    { kind: 'km/h', factor: 1 },
  ],
]
const SYMBOL_BEFORE = /(US\$|[€$£¥]|\b(?:EUR|USD|GBP|CHF|JPY))\s?[-−]?$/

/** Returns whether a word is written like a unit. */
export const isUnitWord = (word: string) =>
  UNITS.has(fold(word)) || /^(?:per|pour|por)?\s?cent/.test(fold(word))

/** Returns the unit before or after a number; null if there is none. */
export function unitBeside(before: string, after: string): Unit | null {
  const symbol = SYMBOL_BEFORE.exec(before)?.[1]
  if (symbol) return UNITS.get(symbol.toLowerCase()) ?? null
  const raw = after.slice(0, 60).replace(/²/g, '2').replace(/³/g, '3')
  const behind = fold(raw)
    .replace(/^[\s-]{0,2}(?:(?:calendar|business|working|consecutive|full|whole|jours calendaires)\s)?/, '')
    .replace(/^(?:de |d'|d’)/, '')
  const phrase = PHRASES.find(([pattern]) => pattern.test(behind))
  if (phrase) return phrase[1]
  const word = /^(?:%|€|\$|£|¥|°[cf]\b|\p{L}+(?:\/\p{L}+)?[23]?)/u.exec(behind)?.[0] ?? ''
  return UNITS.get(word) ?? null
}
