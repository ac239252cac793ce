import * as z from 'zod'
import { say } from './phrases.ts'

const Weather = z.object({
  location: z.string(),
  temperature: z.number(),
  condition: z.string(),
  humidity: z.number(),
  wind_speed: z.number(),
})
type Weather = z.infer<typeof Weather>

/** The result of the weather tool, or nothing. */
export function readWeather(value: string): Weather[] {
  try {
    return [Weather.parse(JSON.parse(value))]
  } catch {
    return []
  }
}

/** One sentence about the weather of a place. */
export function describeWeather(weather: Weather, language: 'en' | 'fr'): string {
  const { location, temperature, condition, humidity, wind_speed } = weather
  const values = { location, temperature, condition: condition.toLowerCase(), humidity, wind_speed }
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, String(value)),
    say(language, 'weather'),
  )
}
