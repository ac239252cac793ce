import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  listOutsideAccess,
  type OutsideAccess,
  type OutsideKind,
  removeWebhookOf,
  revokeKeyOf,
} from '#shared/lifecycle/outside-access/outside-access.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { useSettled } from '../../../platform/lib/api/use-settled.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { overviewKey } from '../overview/use-overview.ts'

const listKey = ['outside-access']

/** Returns a page of outside access. The previous page stays visible while the next one loads. */
export function useOutsideAccess(typed: string, kind: OutsideKind | '', page: number) {
  const q = useSettled(typed.trim())
  const query = { page: String(page), ...(q && { q }), ...(kind && { kind }) }
  return useQuery({
    queryKey: [...listKey, query],
    queryFn: ({ signal }) => call(listOutsideAccess, { query, signal }),
    placeholderData: (before) => before,
  })
}

/** Ends an access and reports the result. */
export function useEndAccess(onSettled: () => void) {
  const { t } = useTranslation('outside_access')
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, kind }: OutsideAccess) =>
      kind === 'webhook'
        ? call(removeWebhookOf, { params: { memberWebhookId: id } })
        : call(revokeKeyOf, { params: { memberKeyId: id } }),
    onSuccess: (_, { name }) => toast.success(t('done', { name })),
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: async () => {
      onSettled()
      await Promise.all([listKey, overviewKey].map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}
