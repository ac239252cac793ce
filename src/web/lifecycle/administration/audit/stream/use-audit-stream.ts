import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import {
  getAuditStream,
  removeAuditStream,
  renewAuditSecret,
  setAuditStream,
  tryAuditStream,
} from '#shared/identity/audit-stream/audit-stream.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { call } from '../../../../platform/lib/api/call.ts'
import { queryClient } from '../../../../platform/lib/api/query-client.ts'
import { toast } from '../../../../platform/ui/toasts/toasts.ts'

const REFETCH_MS = 10_000

const stream = queryOptions({
  queryKey: ['audit-stream'],
  queryFn: ({ signal }) => call(getAuditStream, { signal }),
})

/** Returns the receiver of the audit log, read again every ten seconds. */
export const useAuditStream = () => useQuery({ ...stream, refetchInterval: REFETCH_MS })

export type StreamDraft = { address: string; is_on: boolean; starts: 'oldest' | 'newest' }

/** Saves the receiver. `onSaved` gets the secret of a new one. */
export function useSetAuditStream(onSaved: (secret: string | null) => void) {
  return useMutation({
    mutationFn: (body: StreamDraft) => call(setAuditStream, { body }),
    onSuccess: ({ stream: saved, secret }) => {
      queryClient.setQueryData(stream.queryKey, { stream: saved })
      onSaved(secret)
    },
  })
}

export function useRenewAuditSecret() {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: () => call(renewAuditSecret, {}),
    onError: (error) => toast.error(errorText(t, error)),
  })
}

export function useRemoveAuditStream(onDone: () => void) {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: () => call(removeAuditStream, {}),
    onSuccess: () => {
      queryClient.setQueryData(stream.queryKey, { stream: null })
      onDone()
    },
    onError: (error) => toast.error(errorText(t, error)),
  })
}

/** Sends a test record and says whether the receiver accepted it. */
export function useTryAuditStream() {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: () => call(tryAuditStream, {}),
    onSuccess: ({ error }) => {
      if (error === null) void toast.success(t('audit.stream.tested'))
      else void toast.error(error)
    },
    onError: (error) => toast.error(errorText(t, error)),
  })
}
