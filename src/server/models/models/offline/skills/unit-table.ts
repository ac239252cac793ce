import type { Language } from '#shared/platform/primitives.ts'
import { createPhrases } from '../words/word-phrases.ts'

export type Dimension = 'length' | 'mass' | 'volume' | 'temperature' | 'speed' | 'area' | 'time' | 'data'

/** One unit has `factor` base units. `offset` is added first, for temperatures. Base units: m, kg, L, K, m/s, m², s, byte. */
export type Unit = {
  dimension: Dimension
  factor: string
  offset: string
  /** A symbol, or the words for one and for several. */
  label: Record<Language, string | [one: string, several: string]>
}

type Label = string | { en: string; fr: string }
type Row = [Dimension, factor: string, label: Label, names: string, offset?: string]

/** The label is a symbol, or `one/several` in each language. */
const rows: Row[] = [
  ['length', '0.001', 'mm', 'mm, millimetre, millimetres, millimeter, millimeters, millimètre, millimètres'],
  ['length', '0.01', 'cm', 'cm, centimetre, centimetres, centimeter, centimeters, centimètre, centimètres'],
  ['length', '1', 'm', 'm, metre, metres, meter, meters, mètre, mètres'],
  ['length', '1000', 'km', 'km, kms, kilometre, kilometres, kilometer, kilometers, kilomètre, kilomètres'],
  ['length', '0.0254', { en: 'inch/inches', fr: 'pouce/pouces' }, 'inch, inches, pouce, pouces'],
  ['length', '0.3048', { en: 'foot/feet', fr: 'pied/pieds' }, 'ft, foot, feet, pied, pieds'],
  ['length', '0.9144', { en: 'yard/yards', fr: 'yard/yards' }, 'yd, yard, yards'],
  ['length', '1609.344', { en: 'mile/miles', fr: 'mile/miles' }, 'mi, mile, miles'],
  ['mass', '0.000001', 'mg', 'mg, milligram, milligrams, milligramme, milligrammes'],
  ['mass', '0.001', 'g', 'g, gram, grams, gramme, grammes'],
  ['mass', '1', 'kg', 'kg, kgs, kilo, kilos, kilogram, kilograms, kilogramme, kilogrammes'],
  ['mass', '1000', { en: 'tonne/tonnes', fr: 'tonne/tonnes' }, 't, tonne, tonnes'],
  ['mass', '0.028349523125', { en: 'ounce/ounces', fr: 'once/onces' }, 'oz, ounce, ounces, once, onces'],
  ['mass', '0.45359237', { en: 'pound/pounds', fr: 'livre/livres' }, 'lb, lbs, pound, pounds, livre, livres'],
  ['mass', '6.35029318', { en: 'stone/stone', fr: 'stone/stones' }, 'stone, stones'],
  ['volume', '0.001', 'ml', 'ml, millilitre, millilitres, milliliter, milliliters'],
  ['volume', '0.01', 'cl', 'cl, centilitre, centilitres, centiliter, centiliters'],
  ['volume', '0.1', 'dl', 'dl, décilitre, décilitres, decilitre, decilitres'],
  ['volume', '1', 'L', 'l, litre, litres, liter, liters'],
  [
    'volume',
    '1000',
    'm³',
    'm³, m3, cubic metre, cubic metres, cubic meter, cubic meters, mètre cube, mètres cubes',
  ],
  ['volume', '0.2365882365', { en: 'cup/cups', fr: 'tasse/tasses' }, 'cup, cups, tasse, tasses'],
  ['volume', '0.473176473', { en: 'pint/pints', fr: 'pinte/pintes' }, 'pint, pints, pinte, pintes'],
  ['volume', '3.785411784', { en: 'gallon/gallons', fr: 'gallon/gallons' }, 'gal, gallon, gallons'],
  ['temperature', '1', 'K', 'kelvin, kelvins'],
  [
    'temperature',
    '1',
    '°C',
    '°c, c, celsius, degrees celsius, degree celsius, degrés celsius, degré celsius, centigrade',
    '273.15',
  ],
  [
    'temperature',
    '0.5555555555555555555555555555555555555556',
    '°F',
    '°f, f, fahrenheit, degrees fahrenheit, degree fahrenheit, degrés fahrenheit, degré fahrenheit',
    '459.67',
  ],
  ['speed', '1', 'm/s', 'm / s, metres per second, meters per second, mètres par seconde'],
  [
    'speed',
    '0.2777777777777777777777777777777777777778',
    'km/h',
    'km / h, kmh, kph, kilometres per hour, kilometers per hour, kilomètres par heure, kilomètres à l heure, kilomètres heure',
  ],
  ['speed', '0.44704', 'mph', 'mph, mi / h, miles per hour, miles par heure, miles à l heure'],
  [
    'speed',
    '0.5144444444444444444444444444444444444444',
    { en: 'knot/knots', fr: 'nœud/nœuds' },
    'kn, knot, knots, nœud, nœuds, noeud, noeuds',
  ],
  [
    'area',
    '0.0001',
    'cm²',
    'cm², cm2, square centimetre, square centimetres, square centimeters, centimètre carré, centimètres carrés',
  ],
  [
    'area',
    '1',
    'm²',
    'm², m2, square metre, square metres, square meter, square meters, mètre carré, mètres carrés',
  ],
  ['area', '10000', 'ha', 'ha, hectare, hectares'],
  [
    'area',
    '1000000',
    'km²',
    'km², km2, square kilometre, square kilometres, square kilometers, kilomètre carré, kilomètres carrés',
  ],
  [
    'area',
    '0.09290304',
    { en: 'square foot/square feet', fr: 'pied carré/pieds carrés' },
    'ft², ft2, sq ft, square foot, square feet, pied carré, pieds carrés',
  ],
  ['area', '4046.8564224', { en: 'acre/acres', fr: 'acre/acres' }, 'acre, acres'],
  [
    'time',
    '1',
    { en: 'second/seconds', fr: 'seconde/secondes' },
    's, sec, second, seconds, seconde, secondes',
  ],
  ['time', '60', { en: 'minute/minutes', fr: 'minute/minutes' }, 'min, mins, minute, minutes'],
  ['time', '3600', { en: 'hour/hours', fr: 'heure/heures' }, 'h, hour, hours, heure, heures'],
  ['time', '86400', { en: 'day/days', fr: 'jour/jours' }, 'day, days, jour, jours, journée, journées'],
  ['time', '604800', { en: 'week/weeks', fr: 'semaine/semaines' }, 'week, weeks, semaine, semaines'],
  ['time', '31536000', { en: 'year/years', fr: 'an/ans' }, 'year, years, an, ans, année, années'],
  ['data', '0.125', { en: 'bit/bits', fr: 'bit/bits' }, 'bit, bits'],
  ['data', '1', { en: 'byte/bytes', fr: 'octet/octets' }, 'byte, bytes, octet, octets'],
  ['data', '1000', { en: 'kB', fr: 'ko' }, 'kb, ko, kilobyte, kilobytes, kilooctet, kilooctets'],
  ['data', '1000000', { en: 'MB', fr: 'Mo' }, 'mb, mo, megabyte, megabytes, mégaoctet, mégaoctets'],
  ['data', '1000000000', { en: 'GB', fr: 'Go' }, 'gb, go, gigabyte, gigabytes, gigaoctet, gigaoctets'],
  ['data', '1000000000000', { en: 'TB', fr: 'To' }, 'tb, to, terabyte, terabytes, téraoctet, téraoctets'],
  ['data', '1024', { en: 'KiB', fr: 'Kio' }, 'kib, kio'],
  ['data', '1048576', { en: 'MiB', fr: 'Mio' }, 'mib, mio'],
  ['data', '1073741824', { en: 'GiB', fr: 'Gio' }, 'gib, gio'],
]

function readLabel(label: string): string | [string, string] {
  const [one = '', several] = label.split('/')
  // “km/h” is a symbol with a slash.
  return several === undefined || several.length < 2 ? label : [one, several]
}

/** Returns the unit named at a token. */
export const findUnit = createPhrases<Unit>(
  rows.map(([dimension, factor, label, names, offset = '0']) => {
    const { en, fr } = typeof label === 'string' ? { en: label, fr: label } : label
    return [{ dimension, factor, offset, label: { en: readLabel(en), fr: readLabel(fr) } }, names]
  }),
)
