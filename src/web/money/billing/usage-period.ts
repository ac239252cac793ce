import type { UsageStep } from '#shared/money/billing/billing.ts'

export const periods = ['month', 'last_month', 'quarter', 'all'] as const
export type Period = (typeof periods)[number]

/** A local time range. `to` is exclusive; null bounds mean unlimited. */
export type Span = { from: Date | null; to: Date | null; step: 'day' | 'month' }

/** Returns the time range of a period as of `now`. `quarter` is the last 90 days. */
export function spanOf(period: Period, now: Date): Span {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  switch (period) {
    case 'month':
      return { from: new Date(year, month, 1), to: new Date(year, month + 1, 1), step: 'day' }
    case 'last_month':
      return { from: new Date(year, month - 1, 1), to: new Date(year, month, 1), step: 'day' }
    case 'quarter':
      return { from: new Date(year, month, day - 89), to: new Date(year, month, day + 1), step: 'day' }
    case 'all':
      return { from: null, to: null, step: 'month' }
    default:
      return period satisfies never
  }
}

/** Returns every day or month of a span, including those without usage. An unbounded span starts at the first usage. */
export function fillSteps({ from, to, step }: Span, found: readonly UsageStep[], now: Date): UsageStep[] {
  const byStart = new Map(found.map((one) => [one.start, one]))
  const first = from ?? dateOf(found[0]?.start) ?? now
  const start = step === 'day' ? first : new Date(first.getFullYear(), first.getMonth(), 1)
  const end = to ?? now
  const steps: UsageStep[] = []
  for (let at = start; at < end; at = next(at, step)) {
    const key = keyOf(at)
    steps.push(byStart.get(key) ?? { start: key, amount: 0, tokens: 0, calls: 0 })
  }
  return steps
}

/** Returns the local day or month that a step starts with. */
export function dateOf(start: string): Date
export function dateOf(start: string | undefined): Date | null
export function dateOf(start: string | undefined): Date | null {
  return start === undefined ? null : new Date(`${start}T00:00:00`)
}

/** Returns three round values from 0 to at least `largest`, for the grid lines of a chart. The last is its height. */
export function roundScale(largest: number): number[] {
  // Without usage, the grid lines still need distinct labels.
  if (largest <= 0) return [0, 1, 2]
  const half = largest / 2
  const power = 10 ** Math.floor(Math.log10(half))
  const unit = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= half) ?? 10) * power
  return [0, unit, 2 * unit]
}

/** Returns the day of a moment in the format of a step. */
export function keyOf(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** Adds a calendar day or month, so that days of 23 and 25 hours count as one. */
function next(at: Date, step: 'day' | 'month'): Date {
  const [year, month, day] = [at.getFullYear(), at.getMonth(), at.getDate()]
  return step === 'day' ? new Date(year, month, day + 1) : new Date(year, month + 1, 1)
}
