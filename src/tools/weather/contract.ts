import * as z from 'zod/mini'
import { hostOf } from '#shared/platform/outward.ts'
import { trimmed } from '#shared/platform/primitives.ts'
import { tool } from '#shared/tools/tools/tool.ts'
import { isPlaceAsked } from './asked-place.ts'
import { addressOfPlaces } from './find-place.ts'

const weather = tool({
  id: 'weather',
  name: 'Weather',
  icon: 'cloud-sun',
  description:
    'Gives the current weather of a place: temperature in degrees Fahrenheit, condition, humidity in percent and wind in miles per hour. Name the town, and its region or country when there are several of that name.',
  input: z.object({
    location: trimmed(1, 200),
  }),
  output: z.object({
    /** The place found, with region and country. */
    location: z.string(),
    /** Degrees Fahrenheit, whole. */
    temperature: z.int(),
    condition: z.string(),
    /** Percent. */
    humidity: z.int(),
    /** Miles per hour, whole. */
    wind_speed: z.int(),
    /** WMO code 4677 of the condition. */
    weather_code: z.int(),
    is_day: z.boolean(),
    /** Local time of the place, without zone. */
    observed_at: z.string(),
    timezone: z.string(),
    /** Other places of the same name, the most likely first. */
    also: z.array(z.string()),
  }),
  examples: [
    {
      ...{ location: 'Lyon, Auvergne-Rhône-Alpes, France', temperature: 45, condition: 'Light rain' },
      ...{ humidity: 87, wind_speed: 9, weather_code: 61, is_day: true },
      ...{ observed_at: '2026-11-21T10:00', timezone: 'Europe/Paris', also: [] },
    },
  ],
  repeatable: true,
  takes: 'nothing',
  limitSeconds: 20,
  settings: ['OPEN_METEO_URL', 'OPEN_METEO_GEOCODING_URL'],
  // The forecast itself is requested with the coordinates of the place found.
  sends: ({ location }, { settings, language }) => {
    const address = addressOfPlaces(settings, location, language)
    const hosts = [address, settings.OPEN_METEO_URL ?? ''].map(hostOf)
    return { hosts: [...new Set(hosts)], method: 'GET', address, headers: {}, body: null }
  },
  isAskedFor: ({ location }, message) => isPlaceAsked(location, message),
})

export default weather
