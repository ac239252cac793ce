/** Names of WMO weather codes (table 4677, as used by Open-Meteo) in `tool_ui:weather.conditions`. */
const names: Record<number, string> = {
  ...{ 0: 'clear', 1: 'mainly_clear', 2: 'partly_cloudy', 3: 'overcast', 45: 'fog', 48: 'rime_fog' },
  ...{
    51: 'light_drizzle',
    53: 'drizzle',
    55: 'dense_drizzle',
    56: 'freezing_drizzle',
    57: 'freezing_drizzle',
  },
  ...{ 61: 'light_rain', 63: 'rain', 65: 'heavy_rain', 66: 'freezing_rain', 67: 'freezing_rain' },
  ...{
    71: 'light_snow',
    73: 'snow',
    75: 'heavy_snow',
    77: 'snow_grains',
    80: 'light_showers',
    81: 'showers',
  },
  ...{ 82: 'violent_showers', 85: 'snow_showers', 86: 'heavy_snow_showers', 95: 'thunderstorm' },
  ...{ 96: 'thunderstorm_hail', 99: 'thunderstorm_hail' },
}

/** Returns the name of a condition; `unknown` for an undefined code. */
export function conditionName(code: number): string {
  return names[code] ?? 'unknown'
}
