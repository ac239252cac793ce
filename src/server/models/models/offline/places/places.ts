import type { Language } from '#shared/platform/primitives.ts'
import { capitals, cities, countryNames, zoneNames } from './cities.ts'

declare global {
  namespace Intl {
    interface Locale {
      /** Zones of a region; the type library does not have this method yet. */
      getTimeZones(): string[] | undefined
    }
  }
}

/** A place with a time zone. `others` are further zones of the same country. */
export type Place = {
  name: Record<Language, string>
  kind: 'city' | 'country' | 'zone'
  zone: string
  others: string[]
}

/** Words of the longest place name. */
const MAX_WORDS = 7

/** Returns the words in lower case without accents and punctuation, so that “Sao Paulo” and “São-Paulo” are equal. */
export const plainWords = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[.’'ʻ]/g, ' ')
    .match(/[\p{L}\p{N}]+/gu) ?? []

const keyOf = (name: string) => plainWords(name).join(' ')
let known: Map<string, Place> | null = null

/** Returns the place with this name in either language, or null. */
export const findPlace = (words: string[]): Place | null => {
  known ??= readPlaces()
  return known.get(words.join(' ')) ?? null
}

/** Returns the longest place name that begins at a word, or null. */
export function placeAt(words: string[], at: number): { place: Place; length: number } | null {
  for (let length = Math.min(MAX_WORDS, words.length - at); length > 0; length--) {
    const place = findPlace(words.slice(at, at + length))
    if (place) return { place, length }
  }
  return null
}

/** Later entries win: a city of the table over the city of a zone, a country over a city. */
function readPlaces(): Map<string, Place> {
  const places = new Map<string, Place>()
  const add = (place: Place, ...names: string[]) => {
    for (const name of names) places.set(keyOf(name), place)
  }
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const city = zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone
    add({ name: { en: city, fr: city }, kind: 'city', zone, others: [] }, city, zone)
  }
  for (const [zone, names] of Object.entries(cities))
    for (const named of names.split(', ')) {
      const [en = '', fr = en] = named.split('/')
      // « au Caire » leaves out the article of « Le Caire ».
      add({ name: { en, fr }, kind: 'city', zone, others: [] }, en, fr, fr.replace(/^Le /, ''))
    }
  for (const [zone, names] of Object.entries(zoneNames))
    for (const name of names.split(', '))
      add({ name: { en: name, fr: name }, kind: 'zone', zone, others: [] }, name)
  for (const { place, names } of readCountries(places)) add(place, ...names)
  return places
}

function readCountries(places: Map<string, Place>): { place: Place; names: string[] }[] {
  const [en, fr] = (['en', 'fr'] as const).map(
    (language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }),
  )
  return codes().flatMap((code) => {
    const name = { en: en?.of(code) ?? '', fr: fr?.of(code) ?? '' }
    const zones = new Intl.Locale(`und-${code}`).getTimeZones() ?? []
    const main = places.get(keyOf(capitals[code] ?? ''))?.zone ?? zones[0]
    // A city-state is one place, and its name as a city is shorter.
    if (!main || !name.en || places.get(keyOf(name.en))?.name.fr === name.fr) return []
    const others = capitals[code] ? zones.filter((zone) => zone !== main) : []
    const short = { en: shorten(name.en), fr: shorten(name.fr) }
    const names = [name.en, name.fr, short.en, short.fr, ...(countryNames[code]?.split(', ') ?? [])]
    return [{ place: { name: short, kind: 'country', zone: main, others }, names }]
  })
}

/** Shortens “Hong Kong SAR China” to “Hong Kong” and “Myanmar (Burma)” to “Myanmar”. */
const shorten = (name: string) =>
  name
    .replace(/ \([^)]{1,40}\)$/, '')
    .replace(/ SAR China$/, '')
    .replace(/^R\.A\.S\. chinoise de /, '')

function codes(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  // Former countries still have a name: East Germany, the Soviet Union.
  const former = new Set(['DD', 'SU', 'YU', 'ZR', 'FX', 'TP', 'VD', 'YD', 'BU', 'CS', 'DY', 'HV', 'NH', 'RH'])
  return letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => !former.has(code))
}

/** Returns the capital whose time represents the country of a place, or null. */
export const capitalOf = ({ zone }: Place): Place | null => {
  known ??= readPlaces()
  const capital = Object.values(capitals).find((name) => known?.get(keyOf(name))?.zone === zone)
  return capital ? (known.get(keyOf(capital)) ?? null) : null
}
