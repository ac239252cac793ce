import {
  Cloud,
  CloudDrizzle,
  CloudFog,
  CloudLightning,
  CloudRain,
  CloudSnow,
  CloudSun,
  Droplets,
  type LucideIcon,
  Moon,
  Satellite,
  Sun,
  Wind,
} from 'lucide-react'
import {
  type CardBodyProps,
  formatDate,
  formatNumber,
  type ToolCardParts,
  useTranslation,
} from '../../web/platform/ui/card-parts.ts'
import { Skeleton } from '../../web/platform/ui/states/skeleton.tsx'
import { conditionName } from './conditions.ts'

const card: ToolCardParts = {
  Icon: CloudSun,
  summarise: (input) => String(asRecord(input).location ?? ''),
  explain: (error, input, t) => {
    if (isUnknownPlace(error)) return t('weather.unknown_place', { place: asRecord(input).location })
    return /could not answer|could not be reached|did not answer/.test(error) ? t('weather.no_answer') : null
  },
  remedy: (error) => (isUnknownPlace(error) ? 'edit' : 'retry'),
  Body: Conditions,
}

export default card

const isUnknownPlace = (error: string) => error.startsWith('No place named')

function Conditions({ status, input, result }: CardBodyProps) {
  const { t } = useTranslation('tool_ui')
  if (status === 'running') return <ConditionsSkeleton />
  if (status === 'input')
    return <p className="text-13 text-ink-2">{String(asRecord(input).location ?? '')}</p>
  const { location, temperature, humidity, wind_speed, weather_code, condition, observed_at, is_day, also } =
    readResult(result)
  const Icon = conditionIcon(weather_code, is_day)
  const facts = [
    {
      name: 'humidity',
      Icon: Droplets,
      value: humidity === null ? '–' : t('weather.percent', { value: humidity }),
    },
    {
      name: 'wind_speed',
      Icon: Wind,
      value: wind_speed === null ? '–' : t('weather.mph', { value: formatNumber(wind_speed) }),
    },
    { name: 'source', Icon: Satellite, value: 'Open-Meteo' },
  ]
  return (
    <div className="-m-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 p-3.5">
        <b className="num text-28 font-semibold tracking-[-0.02em]">
          {temperature === null ? '–' : t('weather.fahrenheit', { value: formatNumber(temperature) })}
        </b>
        <div className="min-w-0">
          <p className="flex items-center gap-2 font-medium">
            <Icon aria-hidden className="icon" />
            {t(`weather.conditions.${conditionName(weather_code)}`, { defaultValue: condition })}
          </p>
          <p className="text-12 text-ink-3">
            {[location, observed_at && localTime(observed_at)].filter(Boolean).join(' · ')}
          </p>
        </div>
      </div>
      <dl className="grid grid-cols-3 border-t border-line">
        {facts.map(({ name, Icon, value }) => (
          <div key={name} className="min-w-0 px-3.5 py-2.5 not-first:border-l not-first:border-line">
            <dt className="flex items-center gap-1.5 text-12 text-ink-3">
              <Icon aria-hidden className="icon-12" />
              <span className="truncate">{t(`weather.${name}`)}</span>
            </dt>
            <dd className="num truncate text-13 font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      {also.length > 0 && (
        <p className="border-t border-line px-3.5 py-2 text-12 text-ink-3">
          {t('weather.also', { places: also.join('; ') })}
        </p>
      )}
    </div>
  )
}

function ConditionsSkeleton() {
  return (
    <div aria-hidden className="flex items-center gap-4 py-1">
      <Skeleton className="h-9 w-24" />
      <div className="grid gap-2">
        <Skeleton className="h-3 w-44" />
        <Skeleton className="h-3 w-28" />
      </div>
    </div>
  )
}

const icons: [RegExp, LucideIcon][] = [
  [/snow/, CloudSnow],
  [/thunder/, CloudLightning],
  [/drizzle/, CloudDrizzle],
  [/rain|showers/, CloudRain],
  [/fog/, CloudFog],
  [/partly/, CloudSun],
  [/overcast|unknown/, Cloud],
]

function conditionIcon(code: number, isDay: boolean): LucideIcon {
  const found = icons.find(([words]) => words.test(conditionName(code)))?.[1]
  return found ?? (isDay ? Sun : Moon)
}

/** Formats the local time of the place, whatever the reader's time zone. */
function localTime(time: string): string {
  const date = new Date(`${time}Z`)
  if (Number.isNaN(date.getTime())) return ''
  const options = {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  } as const
  return formatDate(date, { ...options, timeZone: 'UTC' })
}

/** Parts missing from an older result or another source are missing here too. */
function readResult(result: unknown) {
  const { location, temperature, humidity, wind_speed, weather_code, condition, observed_at, is_day, also } =
    asRecord(result)
  const number = (value: unknown) => (typeof value === 'number' ? value : null)
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    ...{ temperature: number(temperature), humidity: number(humidity), wind_speed: number(wind_speed) },
    ...{ location: text(location), condition: text(condition), observed_at: text(observed_at) },
    ...{ weather_code: number(weather_code) ?? -1, is_day: is_day !== false },
    also: Array.isArray(also) ? also.filter((place) => typeof place === 'string') : [],
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
