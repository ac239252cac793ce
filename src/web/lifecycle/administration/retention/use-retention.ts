import { useMutation, useQuery } from '@tanstack/react-query'
import {
  getCompanyRetention,
  getHouseRetention,
  listRetentionRuns,
  type RetentionRule,
  setCompanyRetention,
  setHouseRetention,
} from '#shared/lifecycle/retention/retention.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { type Answer, call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'

const keyOf = (companyId: string) => ['retention', companyId]

/** Returns the rules of a company, or of the installation for an empty id. Sends no request when the id is null. */
export function useRetention(companyId: string | null) {
  return useQuery({
    queryKey: keyOf(companyId ?? 'none'),
    queryFn: ({ signal }) =>
      companyId
        ? call(getCompanyRetention, { params: { companyId }, signal })
        : call(getHouseRetention, { signal }),
    enabled: companyId !== null,
  })
}

export function useSetRetention(companyId: string, onDone: () => void) {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: (rules: RetentionRule[]) =>
      companyId
        ? call(setCompanyRetention, { params: { companyId }, body: { rules } })
        : call(setHouseRetention, { body: { rules } }),
    onSuccess: (answer: Answer<typeof getHouseRetention>) => {
      queryClient.setQueryData(keyOf(companyId), answer)
      // Companies may inherit the installation's rules.
      void queryClient.invalidateQueries({ queryKey: ['retention'], refetchType: 'none' })
      onDone()
      toast.success(t('administration.changed'))
    },
    onError: (error) => toast.error(errorText(t, error)),
  })
}

/** Returns a page of daily deletion runs. The previous page stays visible while the next one loads. */
export function useRetentionRuns(page: number) {
  return useQuery({
    queryKey: ['retention-runs', page],
    queryFn: ({ signal }) => call(listRetentionRuns, { query: { page: String(page) }, signal }),
    placeholderData: (before) => before,
  })
}
