import type { TFunction } from 'i18next'
import { beginComparison } from '#shared/chat/comparisons/comparisons.ts'
import type { NamedMention } from '#shared/chat/messages/mentions.ts'
import type { MessageFile } from '#shared/chat/messages/message-files.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { refreshSession } from '../../../runs/sessions/sessions.ts'
import { attachToRun, openChat } from '../chat/chat.ts'
import { messageStore } from '../chat/message-store.ts'
import { idsOf, namedOf, sendFailure } from '../chat/send.ts'
import { forgetUntold } from '../chat/tell-branch.ts'
import { isTemporary, newClientId } from '../chat/temporary.ts'

export type Comparing = {
  sessionId: string
  text: string
  models: readonly string[]
  toolChoice: string | null
  files: readonly MessageFile[]
  mentions: readonly NamedMention[]
  t: TFunction
  /** The message was refused, so its text returns to its origin. */
  onRefused: () => void
}

/** The message whose answer was lost. A repetition keeps its id, so that it is stored once. */
let lost: { message: string; clientId: string } | null = null

/** Sends a message to several models, and follows their replies. */
export async function sendComparison({ sessionId, text, models, t, ...more }: Comparing): Promise<void> {
  const message = JSON.stringify([sessionId, text, models])
  const clientId = lost?.message === message ? lost.clientId : newClientId()
  const { chatSessionId: shownId, order: shown } = messageStore.getState()
  const parentId = shownId === sessionId ? shown.findLast((id) => !isTemporary(id)) : undefined
  const body = {
    ...{ content: text, client_id: clientId, model_names: [...models] },
    ...(parentId && { parent_id: parentId }),
    ...(more.toolChoice && { tool_choice: more.toolChoice }),
    ...idsOf(more.files),
    ...namedOf(more.mentions),
  }
  try {
    await call(beginComparison, { params: { sessionId }, body })
    lost = null
    // The new run made its own branch active.
    forgetUntold()
  } catch (error) {
    lost = isApiError(error, 0) ? { message, clientId } : null
    toast.error(sendFailure(t, error))
    more.onRefused()
    return
  }
  await openChat(sessionId)
  const { messagesById, order, chatSessionId } = messageStore.getState()
  const last = messagesById[order.at(-1) ?? '']
  if (chatSessionId === sessionId && last?.status === 'streaming') attachToRun(sessionId)
  refreshSession(sessionId)
}
