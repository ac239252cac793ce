import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  changeQueued,
  type MessageQueue,
  type QueuedMessage,
  readQueue,
  withdrawQueued,
} from '#shared/chat/message-queue/message-queue.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { pollEvery, queryClient, refetchChanged } from '../../platform/lib/api/query-client.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { noteTaken } from './queuing.ts'

/** Polling interval where changes are not pushed, in milliseconds. */
const POLL_MS = 3_000

const noItems: readonly QueuedMessage[] = []

type Change = Pick<Partial<QueuedMessage>, 'content' | 'way'> & { after_id?: string | null }

/** The waiting messages of a chat, and what can be done with them. The list is read again after each change. */
export function useQueue(sessionId: string, isRunning: boolean) {
  const { t } = useTranslation('streaming_blocks')
  const { data } = useQuery({
    queryKey: ['queue', sessionId],
    queryFn: ({ signal }) => call(readQueue, { params: { sessionId }, signal }),
    refetchInterval: isRunning ? () => pollEvery(POLL_MS) : false,
    retry: false,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of a run changes what holds the queue.
  useEffect(() => refetchChanged(['queue', sessionId]), [sessionId, isRunning])
  const act = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      const isGone = isApiError(error, 404)
      const isClaimed = isApiError(error, 409)
      toast.error(isGone ? t('queue.gone') : isClaimed ? t('queue.claimed') : errorText(t, error))
      return false
    } finally {
      refetchChanged(['queue', sessionId])
    }
  }
  return {
    items: data?.items ?? noItems,
    heldBy: data?.held_by ?? null,
    change: (queuedId: string, body: Change) => {
      moveHere(sessionId, queuedId, body)
      return act(() => call(changeQueued, { params: { sessionId, queuedId }, body }))
    },
    withdraw: ({ id: queuedId, client_id }: QueuedMessage) =>
      act(async () => {
        await call(withdrawQueued, { params: { sessionId, queuedId } })
        noteTaken(sessionId, client_id, false)
      }),
  }
}

/** Shows a new place immediately; the answer of the server replaces it. */
function moveHere(sessionId: string, id: string, { after_id }: Change): void {
  if (after_id === undefined) return
  queryClient.setQueryData<MessageQueue>(['queue', sessionId], (queue) => {
    const moved = queue?.items.find((item) => item.id === id)
    if (!queue || !moved) return queue
    const others = queue.items.filter((item) => item !== moved)
    const at = others.findIndex((item) => item.id === after_id) + 1
    const first = others.findIndex(({ way }) => way !== 'steer')
    return { ...queue, items: others.toSpliced(after_id === null ? Math.max(0, first) : at, 0, moved) }
  })
}
