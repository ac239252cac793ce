import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getHealth } from '#shared/lifecycle/health/health.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'

const key = ['health']

/** Returns the health of every part, at most some seconds old. */
export function useHealth() {
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(getHealth, { query: { details: 'true' }, signal }),
  })
}

/** Checks every part now. */
export function useCheckAgain() {
  const { t } = useTranslation('admin')
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(getHealth, { query: { details: 'true', again: 'true' } }),
    onSuccess: (health) => client.setQueryData(key, health),
    onError: (error) => toast.error(errorText(t, error)),
  })
}
