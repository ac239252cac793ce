import { useMutation, useQuery } from '@tanstack/react-query'
import { type AuditAction, checkAudit, exportAudit, listAudit } from '#shared/identity/audit/audit.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { currentLanguage, useTranslation } from '../../../platform/i18n/i18n.ts'
import { call, openRoute } from '../../../platform/lib/api/call.ts'
import { useSettled } from '../../../platform/lib/api/use-settled.ts'
import { saveFile } from '../../../platform/ui/files/save-file.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'

export type AuditFilter = { q: string; did: AuditAction | ''; days: number; isRefused: boolean }

/** Returns a page of filtered entries. The previous page stays visible while the next one loads. */
export function useAudit(filter: AuditFilter, page: number) {
  const query = { ...queryOf({ ...filter, q: useSettled(filter.q.trim()) }), page: String(page) }
  return useQuery({
    queryKey: ['audit', query],
    queryFn: ({ signal }) => call(listAudit, { query, signal }),
    placeholderData: (before) => before,
  })
}

/** Verifies the hash chain of the whole log; super admins only. */
export function useAuditCheck(isSuper: boolean) {
  return useQuery({
    queryKey: ['audit-check'],
    queryFn: ({ signal }) => call(checkAudit, { signal }),
    enabled: isSuper,
  })
}

/** Downloads the filtered entries as a file. */
export function useAuditFile(filter: AuditFilter) {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: async () => {
      const language = currentLanguage()
      const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
      const query = { ...queryOf(filter), time_zone: timeZone, language }
      const answer = await openRoute(exportAudit, { query })
      saveFile(await answer.blob(), `${t('audit.file')}.csv`)
    },
    onError: (error) => toast.error(errorText(t, error)),
  })
}

function queryOf({ q, did, days, isRefused }: AuditFilter) {
  return {
    ...(q ? { q } : {}),
    ...(did ? { did } : {}),
    ...(days ? { days: String(days) } : {}),
    ...(isRefused ? { refused: 'true' as const } : {}),
  }
}
