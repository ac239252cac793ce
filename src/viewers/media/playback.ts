/** Offered speeds; a player accepts any from 0.25 to 4. */
export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 2] as const
const RATE = { least: 0.25, most: 4 }
/** Seconds per step back or forward. */
export const STEP = 10

/** Rounds a volume to tenths from 0 to 1; returns null for an invalid number. */
export function volumeOf(value: number): number | null {
  return Number.isFinite(value) ? Math.round(within(value, 0, 1) * 10) / 10 : null
}

/** Limits a speed to the player's range; returns null for an invalid number. */
export function rateOf(value: number): number | null {
  return Number.isFinite(value) ? within(value, RATE.least, RATE.most) : null
}

/** Limits a position to the recording, in seconds; returns null for an invalid number. */
export function placeOf(value: number, duration: number): number | null {
  return Number.isFinite(value) ? within(value, 0, duration) : null
}

/** Formats seconds as `1:05` or `1:02:05`. */
export function clockOf(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))
