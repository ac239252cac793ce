import type { TFunction } from 'i18next'
import {
  MAX_QUEUED,
  type MessageQueue,
  type QueueWay,
  queueMessage,
} from '#shared/chat/message-queue/message-queue.ts'
import type { NamedMention } from '#shared/chat/messages/mentions.ts'
import type { MessageFile } from '#shared/chat/messages/message-files.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient, refetchChanged } from '../../platform/lib/api/query-client.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { noteTaken } from './queuing.ts'

export type Queueing = {
  sessionId: string
  clientId: string
  text: string
  way: QueueWay
  toolChoice: string | null
  /** The model of this reply alone. */
  modelName?: string | undefined
  files: readonly MessageFile[]
  mentions: readonly NamedMention[]
  t: TFunction
}

/** `later`: the server was not reached. `refused`: the reason was shown. */
export type Queued = 'queued' | 'later' | 'refused'

/** Sends a message to the queue of its chat. A repetition stores it once. */
export async function sendToQueue({ sessionId, clientId, text, way, ...more }: Queueing): Promise<Queued> {
  const { toolChoice, modelName, files, mentions, t } = more
  const body = {
    ...{ content: text, way, client_id: clientId },
    ...(toolChoice && { tool_choice: toolChoice }),
    ...(modelName && { model_name: modelName }),
    ...(files.length > 0 && { document_ids: files.map(({ document_id }) => document_id) }),
    ...(mentions.length > 0 && { mentions: mentions.map(({ kind, id }) => ({ kind, id })) }),
  }
  try {
    const item = await call(queueMessage, { params: { sessionId }, body })
    if (item.way !== 'steer') noteTaken(sessionId, clientId)
    // The next message knows of it before the list is read again.
    queryClient.setQueryData<MessageQueue>(['queue', sessionId], (queue) => ({
      held_by: queue?.held_by ?? null,
      items: [...(queue?.items ?? []).filter(({ id }) => id !== item.id), item],
    }))
    refetchChanged(['queue', sessionId])
    return 'queued'
  } catch (error) {
    if (isApiError(error, 0)) return 'later'
    const code = isApiError(error) ? error.code : null
    // An earlier attempt was stored, and its message was sent.
    if (code === 'already_answered') return 'queued'
    toast.error(
      code === 'conflict' ? t('streaming_blocks:queue.full', { count: MAX_QUEUED }) : errorText(t, error),
    )
    return 'refused'
  }
}
