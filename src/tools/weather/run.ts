import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { ToolContext, ToolRun } from '#shared/tools/tools/tool.ts'
import en from '../../../locales/en/tool_ui.json' with { type: 'json' }
import fr from '../../../locales/fr/tool_ui.json' with { type: 'json' }
import { conditionName } from './conditions.ts'
import type weather from './contract.ts'
import { addressIn, addressOfPlaces, choosePlace, describePlace, PlaceAnswer } from './find-place.ts'

/** Answer of a forecast service in the format of Open-Meteo. */
const Forecast = z.object({
  timezone: z.string(),
  current: z.object({
    time: z.string(),
    temperature_2m: z.number(),
    relative_humidity_2m: z.number(),
    weather_code: z.int(),
    wind_speed_10m: z.number(),
    is_day: z.number(),
  }),
})
const Refusal = z.object({ error: z.literal(true), reason: z.string() })

/** Finds a place and returns its current weather. @throws AppError `not_found` for an unknown place, `unavailable` */
const run: ToolRun<typeof weather> = async ({ location }, context) => {
  const places = addressOfPlaces(context.settings, location, context.language)
  const found = await ask(context, places, PlaceAnswer)
  const { best, also } = choosePlace(found.results ?? [], location)
  const forecast = addressIn(context.settings.OPEN_METEO_URL ?? '', '/v1/forecast', {
    ...{ latitude: String(best.latitude), longitude: String(best.longitude), timezone: 'auto' },
    ...{ temperature_unit: 'fahrenheit', wind_speed_unit: 'mph' },
    current: 'temperature_2m,relative_humidity_2m,weather_code,wind_speed_10m,is_day',
  })
  const { current, timezone } = await ask(context, forecast, Forecast)
  return {
    ...{ location: describePlace(best), also: also.map(describePlace), timezone },
    ...{ temperature: whole(current.temperature_2m), humidity: whole(current.relative_humidity_2m) },
    ...{ wind_speed: whole(current.wind_speed_10m), weather_code: current.weather_code },
    condition: describeCondition(current.weather_code, context.language),
    ...{ is_day: current.is_day === 1, observed_at: current.time },
  }
}

export default run

/** Rounds half degrees up, and avoids minus zero. */
function whole(value: number): number {
  return Math.round(value) + 0
}

function describeCondition(code: number, language: 'en' | 'fr'): string {
  const words: Record<string, string> = (language === 'fr' ? fr : en).weather.conditions
  return words[conditionName(code)] ?? ''
}

async function ask<Schema extends z.core.$ZodType>(
  { fetch }: ToolContext,
  address: string,
  schema: Schema,
): Promise<z.core.output<Schema>> {
  const answer = await fetch(address, { maxBytes: 1024 * 1024 })
  const body = await answer.json()
  const parsed = z.core.safeParse(schema, body)
  if (answer.ok && parsed.success) return parsed.data
  const refusal = Refusal.safeParse(body)
  const reason = refusal.success ? ` It says: ${refusal.data.reason}` : ''
  throw new AppError('unavailable', `The weather service could not answer.${reason}`)
}
