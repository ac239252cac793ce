import type { TFunction } from 'i18next'
import { errorText } from '../../i18n/error-text.ts'
import { isApiError } from '../../lib/api-error.ts'
import { getToken } from '../../lib/token.ts'
import { toast } from '../../ui/toasts/toasts.ts'
import { appendMessages, messageStore, removeMessages } from './message-store.ts'
import { followReply } from './reply.ts'
import { isTemporary, newClientId, temporaryQuestion, temporaryReply } from './temporary.ts'

type Sending = {
  sessionId: string | null
  text: string
  toolChoice?: string | null
  t: TFunction
  /** The message could not be sent: what was written goes back where it came from. */
  onRefused: (text: string) => void
  onNavigate?: (to: string) => void
}

/** The last message that may or may not have arrived: sent again, it keeps its name and is stored once. */
let uncertain: { sessionId: string; text: string; clientId: string } | null = null

/**
 * Sends a message and follows its reply, in one call. Needs text, a session and a token, and that no reply is
 * being written; otherwise nothing happens and it gives false.
 */
export function sendMessage(sending: Sending): boolean {
  const { sessionId, text, toolChoice, t, onRefused, onNavigate } = sending
  const { isStreaming, isLoading, order, chatSessionId } = messageStore.getState()
  if (!text.trim() || !sessionId || !getToken()) return false
  if (isLoading || chatSessionId !== sessionId) {
    sendOnceShown(sessionId, sending)
    return true
  }
  if (isStreaming) return false
  const clientId =
    uncertain?.sessionId === sessionId && uncertain.text === text ? uncertain.clientId : newClientId()
  const parentId = order.findLast((id) => !isTemporary(id)) ?? null
  const question = temporaryQuestion({ sessionId, clientId, parentId }, text)
  const reply = temporaryReply({ sessionId, clientId, parentId: question.id })
  appendMessages(question, reply)
  messageStore.setState({ sentKey: question.key })
  const body = { content: text, parent_id: parentId, client_id: clientId, role: 'user' as const }
  followReply(
    sessionId,
    reply.id,
    { kind: 'send', body: toolChoice ? { ...body, tool_choice: toolChoice } : body },
    {
      begun: () => {
        uncertain = null
      },
      refused: (error) => {
        uncertain = isApiError(error, 0) ? { sessionId, text, clientId } : null
        removeMessages(question.id, reply.id)
        toast.error(sendFailure(t, error))
        onRefused(text)
      },
      ...(onNavigate ? { navigate: onNavigate } : {}),
    },
  )
  return true
}

/** A message follows the end of its chat, which is known once the chat is shown. */
function sendOnceShown(sessionId: string, sending: Sending): void {
  const before = messageStore.getState().chatSessionId
  const stop = messageStore.subscribe(({ chatSessionId, isLoading, error }) => {
    const isHere = chatSessionId === sessionId
    if (error === null && (isHere ? isLoading : chatSessionId === before)) return
    stop()
    if (error !== null || !isHere || !sendMessage(sending)) sending.onRefused(sending.text)
  })
}

/** Asks for the reply that a message at the end of the chat never got. */
export function answerNow(sessionId: string, messageId: string, t: TFunction): void {
  if (messageStore.getState().isStreaming) return
  const reply = temporaryReply({ sessionId, clientId: newClientId(), parentId: messageId })
  appendMessages(reply)
  followReply(
    sessionId,
    reply.id,
    { kind: 'generate', messageId },
    {
      refused: (error) => {
        removeMessages(reply.id)
        toast.error(answerFailure(t, error))
      },
    },
  )
}

/** The sentence of a refusal: money is explained, everything else names its reason. */
export function sendFailure(t: TFunction, error: unknown): string {
  if (isApiError(error, 402)) return errorText(t, error)
  const reason = error instanceof Error && error.message ? error.message : t('streaming_blocks:unknown_error')
  return t('streaming_blocks:send_failed', { reason })
}

function answerFailure(t: TFunction, error: unknown): string {
  if (isApiError(error, 402)) return errorText(t, error)
  const body = error instanceof Error && error.message ? error.message : t('streaming_blocks:unknown_error')
  return t('streaming_blocks:process_failed', { body })
}
