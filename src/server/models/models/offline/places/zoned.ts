import type { Language } from '#shared/platform/primitives.ts'

/** Returns what the clocks of a zone show at an instant, as if it were UTC. */
export const wallClock = (at: Date, zone: string): Date =>
  new Date(at.getTime() + offsetOf(at, zone) * 60_000)

/** Returns the instant at which the clocks of a zone show this time. */
export function instantOf(wall: Date, zone: string): Date {
  const guess = new Date(wall.getTime() - offsetOf(wall, zone) * 60_000)
  return new Date(wall.getTime() - offsetOf(guess, zone) * 60_000)
}

/** Returns the minutes that a zone is ahead of UTC. */
export function offsetOf(at: Date, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(
    at,
  )
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes] = /^GMT([+-])(\d{2}):(\d{2})$/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
}

/** Returns the zone and its offset: “Asia/Tokyo, UTC+9”. */
export function writeZone(at: Date, zone: string): string {
  const offset = offsetOf(at, zone)
  if (zone === 'UTC') return zone
  const minutes = Math.abs(offset) % 60
  const hours = `${Math.floor(Math.abs(offset) / 60)}${minutes ? `:${String(minutes).padStart(2, '0')}` : ''}`
  const modern = renamed[zone] ?? zone
  return offset === 0 ? `${modern}, UTC` : `${modern}, UTC${offset < 0 ? '−' : '+'}${hours}`
}

/** Current names of zones that `Intl.supportedValuesOf` lists in an old spelling. */
const renamed: Record<string, string> = {
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Europe/Kiev': 'Europe/Kyiv',
  'Africa/Asmera': 'Africa/Asmara',
}

/** Returns 14:05, or « 14 h 05 » in French. */
export function writeTime(wall: Date, language: Language): string {
  const [hours = '', minutes = ''] = wall.toISOString().slice(11, 16).split(':')
  return language === 'en' ? `${hours}:${minutes}` : `${Number(hours)}\u00a0h\u00a0${minutes}`
}
