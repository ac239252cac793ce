import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { exportHouseUsage, getHouseUsage, listHouseUsage, type UsageBy } from '#shared/money/usage/usage.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { currentLanguage, useTranslation } from '../../../platform/i18n/i18n.ts'
import { call, openRoute } from '../../../platform/lib/api/call.ts'
import { saveFile } from '../../../platform/ui/files/save-file.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'

/** A range of UTC days, both inclusive, and the company to filter by. */
export type UsageSpan = { from: string; to: string; company_id?: string }

const DAY_MS = 86_400_000
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Returns the last `count` UTC days, including today. */
export function lastDays(count: number, now: number): Pick<UsageSpan, 'from' | 'to'> {
  return { from: dayOf(now - (count - 1) * DAY_MS), to: dayOf(now) }
}

/** Returns every day of a span, in order. */
export function daysOf({ from, to }: UsageSpan): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return Array.from({ length: count }, (_, at) => dayOf(Date.parse(from) + at * DAY_MS))
}

/** Returns usage by day and model. The previous span stays visible while the next one loads. */
export function useHouseUsage(span: UsageSpan) {
  return useQuery({
    queryKey: ['house-usage', span],
    queryFn: ({ signal }) => call(getHouseUsage, { query: span, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Returns a page of usage by user, company, model, tool or assistant. */
export function useUsageShares(span: UsageSpan, by: UsageBy, page: number) {
  return useQuery({
    queryKey: ['house-usage-shares', span, by, page],
    queryFn: ({ signal }) => call(listHouseUsage, { query: { ...span, by, page: String(page) }, signal }),
    // Placeholder data only of the same kind: a company must never appear as a user.
    placeholderData: (before, asked) => (asked?.queryKey[2] === by ? before : undefined),
  })
}

/** Downloads the usage of a span as a file. */
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
