import type { TFunction } from 'i18next'
import type { Mention, NamedMention } from '#shared/chat/messages/mentions.ts'
import type { MessageFile } from '#shared/chat/messages/message-files.ts'
import { previewOf } from '#shared/chat/sessions/preview.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { isConnected } from '../../../platform/lib/api/reachability.ts'
import { getToken } from '../../../platform/lib/me/token.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { knownSession, noteSession } from '../../../runs/sessions/sessions.ts'
import { isQueuing, loadSending, useSendWay } from '../../message-queue/message-queue.ts'
import { isAgreed } from '../../run-prices/run-prices.tsx'
import { dropWaiting, holdBack, isOurs, putWaiting, type Waiting, waitingIn } from '../outbox/outbox.ts'
import { appendMessages, messageStore, removeMessages } from './message-store.ts'
import { followReply } from './reply.ts'
import { isTemporary, newClientId, temporaryQuestion, temporaryReply } from './temporary.ts'

export type Sending = {
  sessionId: string | null
  text: string
  toolChoice?: string | null
  /** The model of this reply alone. */
  modelName?: string
  /** Files sent with the message. */
  files?: readonly MessageFile[]
  /** Mentions of the message. */
  mentions?: readonly NamedMention[]
  /** Id of a queued message. */
  clientId?: string
  t: TFunction
  /** The message was refused, so its text returns to its origin. */
  onRefused: (text: string) => void
  onNavigate?: (to: string) => void
}

/**
 * Sends a message and follows its reply, in one call. Without text, a session and a token it does nothing and returns
 * false. Until the server has it, it is in the outbox and is sent again when the connection is back, or when the session is
 * free.
 */
export function sendMessage(sending: Sending): boolean {
  const { sessionId, text, toolChoice = null, files = [], mentions = [], t, onRefused, onNavigate } = sending
  const { isStreaming, isLoading, order, chatSessionId, messagesById } = messageStore.getState()
  if (!text.trim() || !sessionId || !getToken()) return false
  if (isLoading || chatSessionId !== sessionId) {
    sendOnceShown(sessionId, sending)
    return true
  }
  const { clientId = newClientId() } = sending
  const [first] = waitingIn(sessionId)
  const isFirst = order.length === 0 && (!first || first.clientId === clientId)
  const wait = (waitsFor: Waiting['waitsFor']) =>
    putWaiting(sessionId, {
      ...{ clientId, text, toolChoice, files, mentions, waitsFor, isFirst },
      ...(sending.modelName && { modelName: sending.modelName }),
    })
  const own = () =>
    void import('./own-chat.ts')
      .then(({ moveToOwnChat }) =>
        moveToOwnChat({ clientId, text, toolChoice, mentions, waitsFor: null, isFirst: true }, sending),
      )
      .catch(() => {
        dropWaiting(sessionId, clientId)
        onRefused(text)
      })
  if (first && !isOurs(first) && order.length === 0) {
    own()
    return true
  }
  const isShown = (id: string) => Object.values(messagesById).some(({ client_id }) => client_id === id)
  const isNext = !first || first.clientId === clientId
  if (isConnected() && ((isStreaming && !first) || (isNext && isQueuing(sessionId, isShown)))) {
    wait(null)
    void queueIt(sessionId, clientId, sending, () => wait('connection'))
    return true
  }
  if (isStreaming || !isConnected() || !isNext) {
    wait(isStreaming ? 'reply' : 'connection')
    return true
  }
  const release = holdBack(clientId)
  wait(null)
  const parentId = order.findLast((id) => !isTemporary(id)) ?? null
  const question = temporaryQuestion({ sessionId, clientId, parentId }, text, { files, mentions })
  const reply = temporaryReply({ sessionId, clientId, parentId: question.id })
  appendMessages(question, reply)
  messageStore.setState({ sentKey: question.key })
  const preview = knownSession(sessionId)?.preview ?? null
  noteSession(sessionId, { preview: previewOf(text) })
  const body = {
    content: text,
    parent_id: parentId,
    at_end: true,
    client_id: clientId,
    role: 'user' as const,
  }
  const more = {
    ...(parentId ? {} : { is_first: true }),
    ...(toolChoice ? { tool_choice: toolChoice } : {}),
    ...(sending.modelName ? { model_name: sending.modelName } : {}),
    ...idsOf(files),
    ...namedOf(mentions),
  }
  followReply(
    sessionId,
    reply.id,
    { kind: 'send', body: { ...body, ...more } },
    {
      begun: () => dropWaiting(sessionId, clientId),
      left: release,
      refused: (error) => {
        removeMessages(question.id, reply.id)
        noteSession(sessionId, { preview })
        release()
        if (isApiError(error) && error.code === 'chat_begun') return own()
        const waitsFor = mayGoLater(error)
        if (waitsFor) return wait(waitsFor)
        dropWaiting(sessionId, clientId)
        if (hasSteered(error)) return
        toast.error(sendFailure(t, error))
        onRefused(text)
      },
      ...(onNavigate ? { navigate: onNavigate } : {}),
    },
  )
  return true
}

/** Sends a message to the queue of its chat. Until the server has it, it is in the outbox. */
async function queueIt(
  sessionId: string,
  clientId: string,
  { text, toolChoice = null, modelName, files = [], mentions = [], t, onRefused }: Sending,
  onLater: () => void,
): Promise<void> {
  const { way } = useSendWay.getState()
  const release = holdBack(clientId)
  try {
    const { sendToQueue } = await loadSending()
    const given = { sessionId, clientId, text, way, toolChoice, modelName, files, mentions, t }
    const outcome = await sendToQueue(given)
    if (outcome === 'later') return onLater()
    dropWaiting(sessionId, clientId)
    if (outcome === 'refused') onRefused(text)
  } catch {
    onLater()
  } finally {
    release()
  }
}

/** Returns the files as a request names them. */
export function idsOf(files: readonly MessageFile[] = []): { document_ids?: string[] } {
  return files.length > 0 ? { document_ids: files.map(({ document_id }) => document_id) } : {}
}

/** Returns the mentions of a message for a request. */
export function namedOf(mentions: readonly NamedMention[] = []): { mentions?: Mention[] } {
  return mentions.length > 0 ? { mentions: mentions.map(({ kind, id }) => ({ kind, id })) } : {}
}

/** Returns what an undelivered message waits for; null if it was refused. */
export function mayGoLater(error: unknown): 'reply' | 'connection' | null {
  if (isApiError(error, 0)) return 'connection'
  return isApiError(error) && error.code === 'session_busy' ? 'reply' : null
}

/** Returns whether a reply has read the message already, so that it is delivered. */
export const hasSteered = (error: unknown): boolean => isApiError(error) && error.code === 'already_answered'

/** A message follows the end of its chat, which is known once the chat is shown. If the page is left before, it stays a draft. */
function sendOnceShown(sessionId: string, sending: Sending): void {
  const before = messageStore.getState().chatSessionId
  const stop = messageStore.subscribe(({ chatSessionId, isLoading, error }) => {
    const isHere = chatSessionId === sessionId
    if (error === null && (isHere ? isLoading : chatSessionId === before)) return
    leave()
    if (error !== null || !isHere || !sendMessage(sending)) sending.onRefused(sending.text)
  })
  const giveBack = () => {
    leave()
    sending.onRefused(sending.text)
  }
  const leave = () => {
    stop()
    removeEventListener('pagehide', giveBack)
  }
  addEventListener('pagehide', giveBack)
}

/** Requests the missing reply to the last message of the chat. */
export function answerNow(sessionId: string, messageId: string, t: TFunction): void {
  if (messageStore.getState().isStreaming) return
  if (!isAgreed({ sessionId, after: messageId }, () => answerNow(sessionId, messageId, t))) return
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

/** Returns the sentence of a refusal: payment problems are explained, others show their reason. */
export function sendFailure(t: TFunction, error: unknown): string {
  if (isApiError(error, 402)) return errorText(t, error)
  return t('streaming_blocks:send_failed', { reason: reasonOf(t, error) })
}

function answerFailure(t: TFunction, error: unknown): string {
  if (isApiError(error, 402)) return errorText(t, error)
  return t('streaming_blocks:process_failed', { body: reasonOf(t, error) })
}

/** Returns the translation of a failure's code, otherwise the server's own sentence. */
function reasonOf(t: TFunction, error: unknown): string {
  if (isApiError(error) && error.code !== 'unknown') return errorText(t, error)
  return error instanceof Error && error.message ? error.message : t('streaming_blocks:unknown_error')
}
