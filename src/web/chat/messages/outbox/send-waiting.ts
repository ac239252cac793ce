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
import { mayGoLater, type Sending, sendFailure, sendMessage } from '../chat/send.ts'
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

/** Sends what waits, in every session one after the other, as soon as it may. Gives the function that stops it. */
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

/** Tells the server of the chats that were begun without a connection. */
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

/** In the chat on screen, once it stands still at its end. */
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

/** Whether the person stopped the reply they wrote behind. */
function wasStopped({ waitsFor }: Waiting, last: Pick<Message, 'metadata'> | undefined): boolean {
  return waitsFor === 'reply' && last?.metadata.stopped === true
}

/** In any other chat: its reply is written whether anybody reads it or not. */
async function sendElsewhere(sessionId: string, next: Waiting, { t }: How): Promise<void> {
  const { clientId, text, toolChoice, isFirst } = next
  try {
    const params = { sessionId }
    const { active_branch } = await call(getActiveBranch, { params, query: { limit: 1 } })
    const last = active_branch.at(-1)
    if (last?.status === 'streaming') return
    if (wasStopped(next, last)) return giveBack(sessionId)
    const more = {
      ...(isFirst ? { is_first: true } : {}),
      ...(toolChoice ? { tool_choice: toolChoice } : {}),
    }
    const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const body = { content: text, client_id: clientId, time_zone, ...more }
    const stream = await openRoute(postMessage, { params, body, headers: { accept: 'text/event-stream' } })
    await stream.body?.cancel()
    dropWaiting(sessionId, clientId)
  } catch (error) {
    if (isApiError(error) && error.code === 'chat_begun') return moveAway(sessionId, next, t)
    if (mayGoLater(error) || isApiError(error, 401) || isApiError(error, 429)) return
    dropWaiting(sessionId, clientId)
    if (isApiError(error, 404)) return
    giveDraft(sessionId, text)
    toast.error(sendFailure(t, error))
  }
}

/** To a chat of its own; where that cannot be begun now, it is tried again. */
async function moveAway(sessionId: string, next: Waiting, t: Sending['t']): Promise<void> {
  const { moveToOwnChat } = await import('../chat/own-chat.ts')
  await moveToOwnChat(next, { sessionId, t })
}

/** What was written behind a reply that was stopped is the person's to send. */
function giveBack(sessionId: string): void {
  const back = waitingIn(sessionId).filter(({ waitsFor }) => waitsFor === 'reply')
  for (const { clientId } of back) dropWaiting(sessionId, clientId)
  giveDraft(sessionId, back.map(({ text }) => text).join('\n'))
}
