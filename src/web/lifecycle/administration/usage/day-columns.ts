import type { getHouseUsage } from '#shared/money/usage/usage.ts'
import type { Answer } from '../../../platform/lib/api/call.ts'
import { daysOf, type UsageSpan } from './use-house-usage.ts'

export const measures = ['amount', 'calls', 'tokens'] as const
export type Measure = (typeof measures)[number]

/** A day with the share of each model, in model order. The last part is the remainder. */
export type DayColumn = { day: string; total: number; parts: number[] }
export type DayColumns = { models: string[]; hasRest: boolean; days: DayColumn[] }

/** Returns every day of a span in one unit, including days without usage. */
export function columnsOf(
  { models, days }: Answer<typeof getHouseUsage>,
  span: UsageSpan,
  measure: Measure,
): DayColumns {
  const found = new Map(days.map((one) => [one.day, one]))
  const columns = daysOf(span).map((day): DayColumn => {
    const one = found.get(day)
    const named = models.map((name) => one?.models.find((part) => part.model_name === name)?.[measure] ?? 0)
    const total = one?.[measure] ?? 0
    // Anything below a billionth is a rounding error of the sum.
    const rest = Math.round((total - named.reduce((sum, part) => sum + part, 0)) * 1e9) / 1e9
    return { day, total, parts: [...named, Math.max(0, rest)] }
  })
  return { models, days: columns, hasRest: columns.some(({ parts }) => (parts.at(-1) ?? 0) > 0) }
}
