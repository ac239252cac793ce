import type { TFunction } from 'i18next'
import { getActiveBranch } from '#shared/chat/messages/messages.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { isAgreed } from '../../run-prices/run-prices.tsx'
import { emptied } from '../chat/earlier-texts.ts'
import { fadeFrom, messageStore, noteForks, patchMessage, removeFaded } from '../chat/message-store.ts'
import { followReply } from '../chat/reply.ts'
import { forgetBranches, keepBranch } from './branch-cache.ts'

/**
 * Replaces a reply with another one, from the session's model or the given one. The old reply and later messages stay on
 * their branch. Refused with a warning while a reply is being written.
 */
export function regenerateMessage(messageId: string, t: TFunction, model: string | null = null): void {
  const { chatSessionId: sessionId, messagesById, order, isStreaming } = messageStore.getState()
  const message = messagesById[messageId]
  if (!sessionId || !message) return
  if (isStreaming) {
    warnBusy(t)
    return
  }
  const wish = { sessionId, after: message.parent_id, model }
  if (!isAgreed(wish, () => regenerateMessage(messageId, t, model))) return
  keepBranch()
  const undo = rememberMessages()
  fadeFrom(order.indexOf(messageId) + 1)
  patchMessage(messageId, { ...emptied(message), metadata: {}, ...(model ? { model_name: model } : {}) })
  messageStore.setState({ regeneratingId: messageId })
  followReply(
    sessionId,
    messageId,
    { kind: 'regenerate', messageId, model },
    {
      begun: () => {
        beginBranch(sessionId)
        messageStore.setState({ sentKey: messagesById[message.parent_id ?? '']?.key ?? null })
      },
      refused: (error) => {
        undo()
        sayRefusal(t, error, 'regenerate_failed')
      },
    },
  )
}

/** Returns a function that restores the current messages. */
export function rememberMessages(): () => void {
  const { messagesById, order, total, hasOlder, gap } = messageStore.getState()
  return () => messageStore.setState({ messagesById, order, total, hasOlder, gap })
}

/** Handles the first event of a new branch: replaced messages are removed, and the alternatives have changed. */
export function beginBranch(sessionId: string): void {
  removeFaded()
  forgetBranches()
  void call(getActiveBranch, { params: { sessionId }, query: { limit: 2 } })
    .then((branch) => {
      if (messageStore.getState().chatSessionId === sessionId) noteForks(branch)
    })
    // The alternatives appear with the next page that is loaded.
    .catch(() => undefined)
}

export function warnBusy(t: TFunction): void {
  toast.warning(t('streaming_blocks:branch.busy'))
}

/** Shows why a branch could not begin: the failure's own text if there is one, otherwise `words`. */
export function sayRefusal(t: TFunction, error: unknown, words: 'regenerate_failed' | 'edit_failed'): void {
  if (isApiError(error, 409)) warnBusy(t)
  else if (isApiError(error, 402) || isApiError(error, 413)) toast.error(errorText(t, error))
  else toast.error(t(`streaming_blocks:branch.${words}`))
}
