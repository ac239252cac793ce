import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { cancelJob, type JobState, listQueue, retryJob } from '#shared/lifecycle/queue/queue.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'

/** Poll interval while the page is open. */
const AGAIN_MS = 5_000

/** Returns a page of jobs in one state, or in any. */
export function useQueue(state: JobState | '', page: number) {
  const query = { ...(state ? { state } : {}), page: String(page) }
  return useQuery({
    queryKey: ['queue', query],
    queryFn: ({ signal }) => call(listQueue, { query, signal }),
    placeholderData: (before) => before,
    refetchInterval: AGAIN_MS,
  })
}

/** Runs a job now or cancels it. */
export function useJobChange(what: 'retry' | 'cancel') {
  const { t } = useTranslation('admin')
  const client = useQueryClient()
  return useMutation({
    mutationFn: (jobId: string) => call(what === 'retry' ? retryJob : cancelJob, { params: { jobId } }),
    onSuccess: () => toast.success(t(`queue.done.${what}`)),
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: () => client.invalidateQueries({ queryKey: ['queue'] }),
  })
}
