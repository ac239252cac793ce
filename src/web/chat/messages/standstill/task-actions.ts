import type { TFunction } from 'i18next'
import { pauseRun, resumeRun } from '#shared/chat/checkpoints/checkpoints.ts'
import { stopRun } from '#shared/runs/runs/runs.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { getToken } from '../../../platform/lib/me/token.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { refreshSession } from '../../../runs/sessions/sessions.ts'
import { keepBranch } from '../branching/branch-cache.ts'
import { beginBranch, rememberMessages, warnBusy } from '../branching/regenerate.ts'
import { attachToRun, openChat } from '../chat/chat.ts'
import { emptied } from '../chat/earlier-texts.ts'
import { type ChatMessage, fadeFrom, messageStore, patchMessage } from '../chat/message-store.ts'
import { followReply } from '../chat/reply.ts'

export type CheckpointPlace = { id: string; checkpoint_name: string }

/** Returns whether a reply's run is paused, according to its last block. */
export function isPaused({ role, blocks }: ChatMessage): boolean {
  return role === 'assistant' && blocks.at(-1)?.type === 'paused'
}

/**
 * Continues from a checkpoint of a reply as a new branch: the reply is rewritten from there, and later messages are
 * removed. For a paused reply, the paused run continues.
 */
export function returnTo(messageId: string | null, place: CheckpointPlace | null, t: TFunction): void {
  const { chatSessionId: sessionId, messagesById, order, isStreaming } = messageStore.getState()
  if (!sessionId || !messageId || !place?.checkpoint_name || !getToken()) {
    toast.error(t('streaming_blocks:checkpoint.incomplete'))
    return
  }
  const message = messagesById[messageId]
  if (!message) {
    toast.error(t('streaming_blocks:checkpoint.no_target'))
    return
  }
  if (isStreaming) {
    warnBusy(t)
    return
  }
  if (isPaused(message)) {
    void resumeTask(place.id, t)
    return
  }
  keepBranch()
  const undo = rememberMessages()
  fadeFrom(order.indexOf(messageId) + 1)
  const { id: checkpoint_hint, checkpoint_name } = place
  patchMessage(messageId, { ...emptied(message), metadata: { checkpoint_name, content: message.content } })
  messageStore.setState({ regeneratingId: messageId })
  followReply(
    sessionId,
    messageId,
    { kind: 'return', body: { checkpoint_name, message_id: messageId, checkpoint_hint } },
    {
      begun: () => {
        beginBranch(sessionId)
        messageStore.setState({ sentKey: messagesById[message.parent_id ?? '']?.key ?? null })
      },
      refused: (error) => {
        undo()
        void openChat(sessionId)
        toast.error(t('streaming_blocks:checkpoint.failed', { reason: errorText(t, error) }))
      },
    },
  )
}

/** Requests a pause of the current chat's reply at its next checkpoint. */
export async function pauseTask(t: TFunction): Promise<boolean> {
  const sessionId = messageStore.getState().chatSessionId
  if (!sessionId) return false
  try {
    await call(pauseRun, { params: { sessionId } })
    toast.info(t('streaming_blocks:pause.requested'))
    return true
  } catch (error) {
    toast.error(errorText(t, error))
    return false
  }
}

/** Resumes the paused reply of the current chat, at this checkpoint or its latest one. */
export async function resumeTask(checkpoint: string | null, t: TFunction): Promise<void> {
  const { chatSessionId: sessionId, messagesById, order } = messageStore.getState()
  if (!sessionId) return
  const { agent_type: type = null } = messagesById[order.at(-1) ?? ''] ?? {}
  // A comparison resumes as what it is.
  const agent_type = type === 'comparison' ? null : type
  try {
    await call(resumeRun, { params: { sessionId }, body: { checkpoint, agent_type } })
    await showGoingOn(sessionId)
  } catch (error) {
    toast.error(errorText(t, error))
  }
}

/** Ends the paused reply of the current chat with its content, so that another message can be written. */
export async function endTask(t: TFunction): Promise<void> {
  const sessionId = messageStore.getState().chatSessionId
  if (!sessionId) return
  try {
    await call(stopRun, { params: { sessionId } })
    await openChat(sessionId)
    refreshSession(sessionId)
    void queryClient.invalidateQueries({ queryKey: ['input-requests'] })
  } catch (error) {
    toast.error(errorText(t, error))
  }
}

/** The branch may have changed, and someone else may have resumed it. */
async function showGoingOn(sessionId: string): Promise<void> {
  await openChat(sessionId)
  const { messagesById, order } = messageStore.getState()
  if (messagesById[order.at(-1) ?? '']?.status === 'streaming') attachToRun(sessionId)
  refreshSession(sessionId)
}
