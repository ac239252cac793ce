import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aToolContext } from '#tests/tool-context.ts'
import { startWeatherServer, type WeatherServer } from '#tests/weather-server.ts'
import { conditionName } from './conditions.ts'
import weather from './contract.ts'
import run from './run.ts'

let server: WeatherServer
beforeAll(async () => {
  server = await startWeatherServer()
})
afterAll(() => server.close())

const look = (location: string, language: 'en' | 'fr' = 'en') => {
  const settings = { OPEN_METEO_URL: `${server.url}/`, OPEN_METEO_GEOCODING_URL: server.url }
  return run(weather.input.parse({ location }), aToolContext({ settings, language }))
}

describe('weather', () => {
  it('returns Fahrenheit, condition, humidity and wind of a place in whole units [WT-01, G-43]', async () => {
    server.forecast({ temperature_2m: 45.5, wind_speed_10m: 8.7, relative_humidity_2m: 87, weather_code: 61 })
    expect(weather.output.parse(await look('Lyon'))).toEqual({
      ...{
        location: 'Lyon, Auvergne-Rhône-Alpes, France',
        also: [],
        temperature: 46,
        condition: 'Light rain',
      },
      ...{ humidity: 87, wind_speed: 9, weather_code: 61, is_day: true },
      ...{ observed_at: '2026-11-21T10:00', timezone: 'Europe/Paris' },
    })
    expect(server.asked.at(-1)).toMatchObject({
      path: '/v1/forecast',
      query: { latitude: '45.75', longitude: '4.85', temperature_unit: 'fahrenheit', wind_speed_unit: 'mph' },
    })
    server.forecast({ temperature_2m: -0.4 })
    expect(Object.is((await look('Lyon')).temperature, 0)).toBe(true)
  })

  it("describes the condition in the user's language [WT-01]", async () => {
    expect((await look('Lyon', 'fr')).condition).toBe('Pluie faible')
    expect(server.asked.at(-2)).toMatchObject({ path: '/v1/search', query: { language: 'fr' } })
  })

  it('picks the likeliest of several places and names it [WT-01, R-08]', async () => {
    expect(await look('Paris')).toMatchObject({
      location: 'Paris, Île-de-France, France',
      also: ['Paris, Texas, United States'],
    })
    expect(await look('paris, texas')).toMatchObject({ location: 'Paris, Texas, United States', also: [] })
    expect(await look('Paris, US')).toMatchObject({ location: 'Paris, Texas, United States' })
    expect(await look('saint etienne')).toMatchObject({
      location: 'Saint-Étienne, Auvergne-Rhône-Alpes, France',
    })
  })

  it('reports an unknown place or a failing service in one sentence [R-08]', async () => {
    await expect(look('Part-Dieu, building B')).rejects.toThrow(
      'No place named “Part-Dieu, building B” was found. Try the name of a town.',
    )
    await expect(look('Paris, Ontario')).rejects.toMatchObject({ code: 'not_found' })
    server.fail(500)
    await expect(look('Lyon')).rejects.toThrow('The weather service could not answer. It says: Out of order.')
    server.fail(200)
    expect(weather.input.safeParse({ location: '  ' }).success).toBe(false)
  })

  it('has a description for every code of the weather service [WT-01]', () => {
    const codes = [
      0, 1, 2, 3, 45, 48, 51, 53, 55, 56, 57, 61, 63, 65, 66, 67, 71, 73, 75, 77, 80, 81, 82, 85, 86, 95, 96,
      99,
    ]
    expect(codes.map(conditionName)).not.toContain('unknown')
    expect(conditionName(42)).toBe('unknown')
  })
})
