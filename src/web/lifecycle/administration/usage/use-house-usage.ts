import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { exportHouseUsage, getHouseUsage, listHouseUsage, type UsageBy } from '#shared/money/usage/usage.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { currentLanguage, useTranslation } from '../../../platform/i18n/i18n.ts'
import { call, openRoute } from '../../../platform/lib/api/call.ts'
import { saveFile } from '../../../platform/ui/files/save-file.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'

/** Days of UTC, both included, and of which company. */
export type UsageSpan = { from: string; to: string; company_id?: string }

const DAY_MS = 86_400_000
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** The last so many days of UTC, today included. */
export function lastDays(count: number, now: number): Pick<UsageSpan, 'from' | 'to'> {
  return { from: dayOf(now - (count - 1) * DAY_MS), to: dayOf(now) }
}

/** Every day of a span, in order. */
export function daysOf({ from, to }: UsageSpan): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return Array.from({ length: count }, (_, at) => dayOf(Date.parse(from) + at * DAY_MS))
}

/** What was used in a span, by day and model; the span before stays until this one is there. */
export function useHouseUsage(span: UsageSpan) {
  return useQuery({
    queryKey: ['house-usage', span],
    queryFn: ({ signal }) => call(getHouseUsage, { query: span, signal }),
    placeholderData: keepPreviousData,
  })
}

/** One page of what each person, company, model, tool or assistant took. */
export function useUsageShares(span: UsageSpan, by: UsageBy, page: number) {
  return useQuery({
    queryKey: ['house-usage-shares', span, by, page],
    queryFn: ({ signal }) => call(listHouseUsage, { query: { ...span, by, page: String(page) }, signal }),
    // Of the same kind alone: a company is no person.
    placeholderData: (before, asked) => (asked?.queryKey[2] === by ? before : undefined),
  })
}

/** Saves a span as a file. */
export function useUsageFile(span: UsageSpan) {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: async () => {
      const answer = await openRoute(exportHouseUsage, { query: { ...span, language: currentLanguage() } })
      saveFile(await answer.blob(), `${t('usage.file')}-${span.from}-${span.to}.csv`)
    },
    onError: (error) => toast.error(errorText(t, error)),
  })
}
