import type { TFunction } from 'i18next'
import { mentionsOf } from '#shared/chat/messages/mentions.ts'
import { filesOf } from '#shared/chat/messages/message-files.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { getToken } from '../../../platform/lib/me/token.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { keepDraft, readDraft } from '../../composer/composer.tsx'
import { isAgreed } from '../../run-prices/run-prices.tsx'
import { openChat } from '../chat/chat.ts'
import { fadeFrom, insertAfter, messageStore, replaceMessage } from '../chat/message-store.ts'
import { followReply } from '../chat/reply.ts'
import { newClientId, temporaryQuestion, temporaryReply } from '../chat/temporary.ts'
import { keepBranch } from './branch-cache.ts'
import { beginBranch, rememberMessages, sayRefusal, warnBusy } from './regenerate.ts'

/** The last edit with an unknown outcome; a retry uses the same id, so it is stored once. */
let uncertain: { messageId: string; text: string; clientId: string } | null = null

/** Opens the inline editor of a message; null closes it. The draft is stored. */
export function openEditor(messageId: string | null): void {
  messageStore.setState({ editingId: messageId })
}

/** Returns the content of a message's editor: its unsent draft, otherwise the message. */
export function readEdit(messageId: string): string {
  return readDraft(editKey(messageId)) || (messageStore.getState().messagesById[messageId]?.content ?? '')
}

/** Stores the draft of a message's editor; an empty text deletes it. */
export function keepEdit(messageId: string, text: string): void {
  keepDraft(editKey(messageId), text)
}

function editKey(messageId: string): string {
  return `edit ${messageId}`
}

/**
 * Replaces a question with an edited one and requests its reply. The old question stays on its branch with everything that
 * followed. Returns whether it was sent.
 */
export function editAndRegenerate(messageId: string | null, text: string, t: TFunction): boolean {
  const { chatSessionId: sessionId, messagesById, order, isStreaming } = messageStore.getState()
  const message = messagesById[messageId ?? '']
  if (!sessionId || !messageId || !message || !text.trim() || !getToken()) {
    toast.error(t('streaming_blocks:branch.edit_incomplete'))
    return false
  }
  if (isStreaming) {
    warnBusy(t)
    return false
  }
  const wish = { sessionId, after: message.parent_id ?? messageId, text }
  if (!isAgreed(wish, () => editAndRegenerate(messageId, text, t))) return false
  keepBranch()
  const undo = rememberMessages()
  const isSame = uncertain?.messageId === messageId && uncertain.text === text
  const clientId = isSame && uncertain ? uncertain.clientId : newClientId()
  const files = filesOf(message.metadata)
  const mentions = mentionsOf(message.metadata)
  const question = {
    ...temporaryQuestion({ sessionId, clientId, parentId: message.parent_id }, text, { files, mentions }),
    ...{ is_modified: true, key: message.key, previousContent: message.content },
  }
  const reply = temporaryReply({ sessionId, clientId, parentId: question.id })
  fadeFrom(order.indexOf(messageId) + 1)
  replaceMessage(messageId, question)
  insertAfter(question.id, reply)
  messageStore.setState({ editingId: null, editAndRegenerateId: messageId })
  followReply(
    sessionId,
    reply.id,
    { kind: 'edit', messageId, body: { content: text, client_id: clientId } },
    {
      begun: () => {
        uncertain = null
        keepEdit(messageId, '')
        beginBranch(sessionId)
        messageStore.setState({ sentKey: question.key })
      },
      refused: (error) => {
        uncertain = isApiError(error, 0) ? { messageId, text, clientId } : null
        keepEdit(messageId, text)
        undo()
        messageStore.setState({ editingId: messageId })
        sayRefusal(t, error, 'edit_failed')
        void openChat(sessionId)
      },
    },
  )
  return true
}
