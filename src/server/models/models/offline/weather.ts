import * as z from 'zod'
import type { Language } from '#shared/platform/primitives.ts'
import { say } from './phrases.ts'

const Weather = z.object({
  location: z.string(),
  temperature: z.number(),
  condition: z.string(),
  humidity: z.number(),
  wind_speed: z.number(),
})
type Weather = z.infer<typeof Weather>

/** Returns the result of the weather tool; empty for any other value. */
export function readWeather(value: string): Weather[] {
  try {
    return [Weather.parse(JSON.parse(value))]
  } catch {
    return []
  }
}

/** Describes the weather of a place in one sentence. */
export function describeWeather(weather: Weather, language: Language): string {
  const { location, temperature, condition, humidity, wind_speed } = weather
  const values = [location, temperature, condition.toLowerCase(), humidity, wind_speed]
  return say(language, 'weather', ...values.map(String))
}
