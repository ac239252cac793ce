import { useMutation } from '@tanstack/react-query'
import { decideApproval, provideInput, provideToolInput } from '#shared/runs/input-requests/input-requests.ts'
import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { refreshSession } from '../sessions/sessions.ts'
import type { AnswerInput } from './answer-draft.ts'
import { takeOut } from './waiting-lists.ts'

/** A request and its session; null for a call made without a session. */
export type Asked = { sessionId: string | null; request: InputRequiredBlock }

export type Answering = ReturnType<typeof useAnswer>

/**
 * Sends the answer to a request. Calls `onSettled` when the request no longer waits: it was answered, here or elsewhere, or
 * has expired.
 */
export function useAnswer({ sessionId, request }: Asked, onSettled: () => void) {
  const { t } = useTranslation('streaming_blocks')
  const answer = useMutation({
    mutationFn: (given: AnswerInput) => send(sessionId, request, given),
    onSuccess: () => settle({ sessionId, request }, onSettled),
    onError: (error) => {
      toast.error(t('input.failed', { reason: errorText(t, error) }))
      if (isApiError(error, 409) || isApiError(error, 404)) settle({ sessionId, request }, onSettled)
    },
  })
  return {
    send: (given: AnswerInput) => !answer.isPending && answer.mutate(given),
    isSending: answer.isPending,
    isSent: answer.isSuccess,
    error: answer.error,
    /** The server did not answer, so the outcome is unknown. */
    isUnavailable: isApiError(answer.error) && (answer.error.status === 0 || answer.error.status >= 500),
    /** Errors of single fields, by path. */
    fieldErrors: isApiError(answer.error) ? answer.error.fields : [],
    forget: answer.reset,
  }
}

function send(sessionId: string | null, request: InputRequiredBlock, given: AnswerInput) {
  if (request.approver)
    return call(decideApproval, {
      params: { approvalId: request.tool?.tool_execution_id ?? '' },
      body: { input: given.input },
    })
  if (sessionId)
    return call(provideInput, {
      params: { sessionId },
      body: { checkpoint_name: request.checkpoint_name, ...given },
    })
  return call(provideToolInput, {
    params: { executionId: request.tool?.tool_execution_id ?? '' },
    body: given,
  })
}

/** Removes the request from every list and count immediately, then refetches what else changed. */
function settle({ sessionId, request }: Asked, onSettled: () => void): void {
  takeOut({ sessionId, request })
  void queryClient.invalidateQueries({ queryKey: ['input-requests'] })
  if (sessionId) refreshSession(sessionId)
  onSettled()
}
