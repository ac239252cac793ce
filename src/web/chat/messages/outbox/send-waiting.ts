import { getActiveBranch, postMessage } from '#shared/chat/messages/messages.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { call, openRoute } from '../../../platform/lib/api/call.ts'
import { isConnected, useReachability } from '../../../platform/lib/api/reachability.ts'
import { subscribeKept } from '../../../platform/lib/kept/kept.ts'
import { subscribeToken } from '../../../platform/lib/me/token.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { isUnmade, loadAhead, unmadeChats } from '../../../runs/sessions/sessions.ts'
import { giveDraft } from '../../composer/composer.tsx'
import { messageStore } from '../chat/message-store.ts'
import {
  hasSteered,
  idsOf,
  mayGoLater,
  namedOf,
  type Sending,
  sendFailure,
  sendMessage,
} from '../chat/send.ts'
import { isTemporary } from '../chat/temporary.ts'
import { standstillOf } from '../standstill/waiting.ts'
import {
  dropWaiting,
  holdBack,
  isHeldBack,
  isOurs,
  putWaiting,
  sessionsWaiting,
  type Waiting,
  waitingIn,
} from './outbox.ts'

type How = Pick<Sending, 't' | 'onNavigate'>

const LOOK_MS = 3000

/** Sends queued messages, sequentially per session, as soon as possible. Returns a function that stops it. */
export function sendWaiting(how: How): () => void {
  let isAsked = false
  const look = () => {
    if (isAsked) return
    isAsked = true
    queueMicrotask(() => {
      isAsked = false
      if (isConnected()) makeBegun().catch(() => undefined)
      for (const sessionId of sessionsWaiting()) sendNext(sessionId, how)
    })
  }
  const timer = setInterval(look, LOOK_MS)
  const stops = [
    subscribeKept(look),
    subscribeToken(look),
    useReachability.subscribe(look),
    messageStore.subscribe((now, before) => {
      if (now.isStreaming !== before.isStreaming || now.isLoading !== before.isLoading) look()
    }),
    () => clearInterval(timer),
    () => removeEventListener('online', look),
  ]
  addEventListener('online', look)
  look()
  return () => {
    for (const stop of stops) stop()
  }
}

/** Stores chats on the server that were created offline. */
async function makeBegun(): Promise<void> {
  if (unmadeChats().length === 0) return
  const { makeChats } = await loadAhead()
  await makeChats(messageStore.getState().chatSessionId)
}

function sendNext(sessionId: string, how: How): void {
  const [next] = waitingIn(sessionId)
  if (!next || !isOurs(next) || isHeldBack(next)) return
  if (!isConnected()) {
    if (next.waitsFor === null) putWaiting(sessionId, { ...next, waitsFor: 'connection' })
    return
  }
  if (isUnmade(sessionId)) return
  if (messageStore.getState().chatSessionId === sessionId) sendHere(sessionId, next, how)
  else void sendElsewhere(sessionId, next, how).finally(holdBack(next.clientId))
}

/** Sends in the current chat, once it rests at its end. */
function sendHere(sessionId: string, next: Waiting, { t, onNavigate }: How): void {
  const { isLoading, error, isStreaming, elsewhereId, messagesById, order } = messageStore.getState()
  if (isLoading || error !== null || isStreaming || elsewhereId !== null) return
  const hasArrived = Object.values(messagesById).some(
    ({ id, client_id }) => client_id === next.clientId && !isTemporary(id),
  )
  const last = messagesById[order.at(-1) ?? '']
  if (hasArrived) dropWaiting(sessionId, next.clientId)
  else if (wasStopped(next, last)) giveBack(sessionId)
  else if (!last || !standstillOf(last))
    sendMessage({
      ...{ sessionId, ...next, t },
      onRefused: (text) => giveDraft(sessionId, text),
      ...(onNavigate ? { onNavigate } : {}),
    })
}

/** Returns whether the person stopped the reply before which the message was queued. */
function wasStopped({ waitsFor }: Waiting, last: Pick<Message, 'metadata'> | undefined): boolean {
  return waitsFor === 'reply' && last?.metadata.stopped === true
}

/** Sends in another chat, whose reply is written without a reader. */
async function sendElsewhere(sessionId: string, next: Waiting, { t }: How): Promise<void> {
  const { clientId, text, toolChoice, modelName, files, mentions, isFirst } = next
  try {
    const params = { sessionId }
    const { active_branch } = await call(getActiveBranch, { params, query: { limit: 1 } })
    const last = active_branch.at(-1)
    if (last?.status === 'streaming') return
    if (wasStopped(next, last)) return giveBack(sessionId)
    const more = {
      ...(isFirst ? { is_first: true } : {}),
      ...(toolChoice ? { tool_choice: toolChoice } : {}),
      ...(modelName ? { model_name: modelName } : {}),
      ...idsOf(files),
      ...namedOf(mentions),
    }
    const body = { content: text, client_id: clientId, ...more }
    const stream = await openRoute(postMessage, { params, body, headers: { accept: 'text/event-stream' } })
    await stream.body?.cancel()
    dropWaiting(sessionId, clientId)
  } catch (error) {
    if (isApiError(error) && error.code === 'chat_begun') return moveAway(sessionId, next, t)
    if (mayGoLater(error) || isApiError(error, 401) || isApiError(error, 429)) return
    dropWaiting(sessionId, clientId)
    if (isApiError(error, 404) || hasSteered(error)) return
    giveDraft(sessionId, text)
    toast.error(sendFailure(t, error))
  }
}

/** Moves to a chat of its own; retried if that cannot be created now. */
async function moveAway(sessionId: string, next: Waiting, t: Sending['t']): Promise<void> {
  const { moveToOwnChat } = await import('../chat/own-chat.ts')
  await moveToOwnChat(next, { sessionId, t })
}

/** Returns messages queued behind a stopped reply to the person. */
function giveBack(sessionId: string): void {
  const back = waitingIn(sessionId).filter(({ waitsFor }) => waitsFor === 'reply')
  for (const { clientId } of back) dropWaiting(sessionId, clientId)
  giveDraft(sessionId, back.map(({ text }) => text).join('\n'))
}
