import * as z from 'zod/mini'
import { AppError } from '#shared/platform/errors.ts'

const Place = z.object({
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  country: z.optional(z.string()),
  country_code: z.optional(z.string()),
  admin1: z.optional(z.string()),
  admin2: z.optional(z.string()),
  population: z.optional(z.number()),
})
export type Place = z.infer<typeof Place>

/** Returns the address of a search for places. */
export function addressOfPlaces(
  { OPEN_METEO_GEOCODING_URL = '' }: Readonly<Record<string, string>>,
  location: string,
  language: 'en' | 'fr',
): string {
  const { name } = splitLocation(location)
  return addressIn(OPEN_METEO_GEOCODING_URL, '/v1/search', { name, count: '20', language, format: 'json' })
}

/** Returns the address of a path and query at a configured service. */
export function addressIn(base: string, path: string, query: Record<string, string>): string {
  return `${base.replace(/(?<!\/)\/+$/, '')}${path}?${new URLSearchParams(query)}`
}

/** Answer of a geocoding service in the format of Open-Meteo. Without a hit it has no `results`. */
export const PlaceAnswer = z.object({ results: z.optional(z.array(Place)) })

/** Splits a request into the name of a place and its region. */
export function splitLocation(location: string): { name: string; where: string[] } {
  const [name = '', ...where] = location.split(',').map((part) => part.trim())
  return { name: name || location.trim(), where: where.filter(Boolean) }
}

/**
 * Returns the most likely place, and up to three others of the same name. Sorts by region, then exact name, then
 * population. @throws AppError `not_found`
 */
export function choosePlace(places: readonly Place[], location: string): { best: Place; also: Place[] } {
  const { name, where } = splitLocation(location)
  const fitting = places.filter((place) => where.every((part) => isIn(place, part)))
  const isNamed = (place: Place) => Number(plain(place.name) === plain(name))
  const [best, ...others] = fitting.toSorted(
    (a, b) => isNamed(b) - isNamed(a) || (b.population ?? 0) - (a.population ?? 0),
  )
  if (!best)
    throw new AppError('not_found', `No place named “${location}” was found. Try the name of a town.`)
  const also = others.filter((place) => isNamed(place) && describePlace(place) !== describePlace(best))
  return { best, also: also.slice(0, 3) }
}

/** Returns the name of a place with its region and country. */
export function describePlace({ name, admin1, country }: Place): string {
  return [name, admin1 === name ? undefined : admin1, country].filter(Boolean).join(', ')
}

function isIn(place: Place, part: string): boolean {
  const names = [place.admin1, place.admin2, place.country, place.country_code]
  return names.some((name) => name && plain(name) === plain(part))
}

/** Removes accents, case and hyphens: "saint etienne" matches Saint-Étienne. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('-', ' ').toLowerCase().trim()
}
