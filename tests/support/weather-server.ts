import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Place = Record<string, unknown> & { name: string }
type Current = {
  temperature_2m: number
  relative_humidity_2m: number
  weather_code: number
  wind_speed_10m: number
}

export type WeatherServer = {
  url: string
  /** Received queries, path first. */
  asked: { path: string; query: Record<string, string> }[]
  /** Changes the next forecasts. */
  forecast: (current: Partial<Current>) => void
  /** Makes every request answer with this status; 200 ends it. */
  fail: (status: number) => void
  close: () => Promise<void>
}

const france = { country: 'France', country_code: 'FR' }
const places: Place[] = [
  {
    ...{ name: 'Paris', admin1: 'Texas', country: 'United States', country_code: 'US', population: 24782 },
    ...at(33.66, -95.55),
  },
  { ...{ name: 'Paris', admin1: 'Île-de-France', ...france, population: 2138551 }, ...at(48.85, 2.35) },
  { ...{ name: 'Lyon', admin1: 'Auvergne-Rhône-Alpes', ...france, population: 522969 }, ...at(45.75, 4.85) },
  {
    ...{ name: 'Saint-Étienne', admin1: 'Auvergne-Rhône-Alpes', ...france, population: 171260 },
    ...at(45.43, 4.39),
  },
]

function at(latitude: number, longitude: number) {
  return { latitude, longitude }
}

/** Starts a server with the format of Open-Meteo: places and forecasts. */
export async function startWeatherServer(): Promise<WeatherServer> {
  const asked: WeatherServer['asked'] = []
  let status = 200
  let current: Current = {
    temperature_2m: 45.1,
    relative_humidity_2m: 87,
    weather_code: 61,
    wind_speed_10m: 8.7,
  }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    asked.push({ path: pathname, query: Object.fromEntries(searchParams) })
    response.setHeader('content-type', 'application/json')
    response.statusCode = status
    if (status !== 200) return void response.end(JSON.stringify({ error: true, reason: 'Out of order.' }))
    response.end(JSON.stringify(pathname === '/v1/search' ? search(searchParams) : forecast(current)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    forecast: (next) => {
      current = { ...current, ...next }
    },
    fail: (next) => {
      status = next
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}

/** Without a hit the answer has no `results`. */
function search(query: URLSearchParams) {
  const plain = (text: string) =>
    text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('-', ' ').toLowerCase()
  const results = places.filter(({ name }) => plain(name) === plain(query.get('name') ?? ''))
  return { ...(results.length > 0 ? { results } : {}), generationtime_ms: 0.5 }
}

function forecast(current: Current) {
  return {
    ...{ latitude: 45.75, longitude: 4.85, generationtime_ms: 0.05, utc_offset_seconds: 3600 },
    ...{ timezone: 'Europe/Paris', timezone_abbreviation: 'GMT+1', elevation: 170 },
    current: { time: '2026-11-21T10:00', interval: 900, is_day: 1, ...current },
  }
}
