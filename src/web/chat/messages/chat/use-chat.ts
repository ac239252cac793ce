import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { translate, useTranslation } from '../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { setCurrentSession, useCurrentSession } from '../../../platform/lib/current-session.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import {
  forgetSessions,
  startChat,
  useFirstSessionId,
  useSessionDetails,
  useSessionList,
} from '../../../runs/sessions/sessions.ts'
import { hasOwnDraft, noteOpening } from '../../composer/composer.tsx'
import { attachToRun, leaveChat, openChat, whyLost } from './chat.ts'
import { messageStore, resetMessages, useMessages } from './message-store.ts'

/** The chat of the address: its session, kept up to date, and its messages in the store. */
export function useChat(chatUid: string | null): { session: Session | null; reload: () => void } {
  const { t } = useTranslation('streaming_blocks')
  const leave = useLeaveForChat(chatUid)
  const details = useSessionDetails(chatUid)
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks for the messages again.
  useEffect(() => {
    if (!chatUid) {
      resetMessages(null)
      return
    }
    void openChat(chatUid).then((opened) => {
      if (opened === 'gone' || opened === 'refused') leave(chatUid, opened)
    })
    return () => leaveChat(chatUid)
  }, [chatUid, attempt, leave])

  useEffect(() => {
    if (!details.error) return
    const why = whyLost(details.error)
    if (why) leave(chatUid ?? '', why)
    // A lost connection and an expired session are reported where they are fixed; then everything recovers.
    else if (!isMendedElsewhere(details.error) && messageStore.getState().reconnecting === null)
      toast.error(t('details_failed'))
  }, [details.error, t, leave, chatUid])

  useAttachment(chatUid, details.data ?? null, details.dataUpdatedAt)
  return { session: chatUid ? (details.data ?? null) : null, reload: () => setAttempt((count) => count + 1) }
}

const isMendedElsewhere = (error: unknown) => isApiError(error, 401) || isApiError(error, 0)

/** Joins an active run here, wherever it was started. Reports from before the last end are outdated. */
function useAttachment(chatUid: string | null, session: Session | null, toldAt: number): void {
  const { t } = useTranslation('streaming_blocks')
  const navigate = useNavigate()
  const moveAway = useEffectEvent((sessionId: string) =>
    import('./own-chat.ts').then(({ moveToOwnChat }) =>
      moveToOwnChat(null, { sessionId, t, onNavigate: (to) => void navigate({ to }) }),
    ),
  )
  const isStreaming = useMessages((state) => state.isStreaming)
  const isReady = useMessages(
    (state) => state.chatSessionId === chatUid && !state.isLoading && state.error === null,
  )
  const endedAt = useRef(0)
  const wasStreaming = useRef(false)
  useEffect(() => {
    if (wasStreaming.current && !isStreaming) {
      endedAt.current = Date.now()
      if (chatUid) {
        void queryClient.invalidateQueries({ queryKey: ['session', chatUid] })
        void queryClient.invalidateQueries({ queryKey: ['checkpoints', chatUid] })
      }
    }
    wasStreaming.current = isStreaming
  }, [isStreaming, chatUid])
  const isUnderWay = session?.status === 'GENERATING' && session.id === chatUid
  const isEmpty = useMessages(({ order }) => order.length === 0)
  const isBegunElsewhere = isEmpty && session?.id === chatUid && (isUnderWay || session?.preview !== null)
  const isPausedHere = useMessages(
    ({ messagesById, order }) => messagesById[order.at(-1) ?? '']?.blocks.at(-1)?.type === 'paused',
  )
  const wentOn = isPausedHere && session?.id === chatUid && session?.agent_status !== 'paused' && !isUnderWay
  useEffect(() => {
    // It ran to its end between two polls, or was ended elsewhere.
    if (chatUid && wentOn && !isStreaming && toldAt > endedAt.current) void openChat(chatUid)
  }, [chatUid, wentOn, isStreaming, toldAt])
  useEffect(() => {
    if (!isUnderWay && toldAt > endedAt.current) messageStore.setState({ elsewhereId: null })
  }, [isUnderWay, toldAt])
  useEffect(() => {
    if (!chatUid || !isReady || isStreaming || toldAt <= endedAt.current) return
    if (isBegunElsewhere && hasOwnDraft(chatUid)) void moveAway(chatUid).catch(() => undefined)
    else if (isUnderWay) attachToRun(chatUid)
    else if (isBegunElsewhere) void openChat(chatUid)
  }, [chatUid, isReady, isStreaming, isUnderWay, isBegunElsewhere, toldAt])
}

/** Leaves a session that is gone or not ours, once: only the reason stays on screen. */
function useLeaveForChat(chatUid: string | null): (sessionId: string, why: 'gone' | 'refused') => void {
  const navigate = useNavigate()
  const run = useRef(navigate)
  run.current = navigate
  const left = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a return to an address redirects again.
  useEffect(() => {
    left.current = null
  }, [chatUid])
  const [leave] = useState(() => (sessionId: string, why: 'gone' | 'refused') => {
    // While the next page loads, the session may be read and refused again.
    if (left.current === sessionId) return
    left.current = sessionId
    void toast.info(translate(`streaming_blocks:chat_${why}`))
    resetMessages(null)
    // If it stayed listed, it would be opened as the first session again, in a loop.
    forgetSessions(new Set([sessionId]))
    setCurrentSession(null)
    void run.current({ to: '/chat', replace: true })
  })
  return leave
}

/** At the root of the chat: opens the first session, or creates one if there is none. */
export function useChatOfRoot(chatUid: string | null): void {
  const navigate = useNavigate()
  const { t } = useTranslation('streaming_blocks')
  const { data, isSuccess, isFetching } = useSessionList()
  const firstId = useFirstSessionId(chatUid)
  const isCreating = useCurrentSession((state) => state.isCreating)
  const hasFailed = useMessages((state) => state.error !== null)
  useEffect(() => {
    // After a failure the view offers a retry.
    if (chatUid || !isSuccess || !data || isCreating || hasFailed) return
    if (firstId) {
      noteOpening(firstId)
      void navigate({ to: `/chat/${firstId}`, replace: true })
      return
    }
    if (isFetching) return
    useCurrentSession.setState({ isCreating: true })
    void startChat()
      .then((id) => {
        noteOpening(id)
        return navigate({ to: `/chat/${id}`, replace: true })
      })
      .catch((error) => {
        toast.error(errorText(t, error))
        messageStore.setState({ error: errorText(t, error) })
      })
      .finally(() => useCurrentSession.setState({ isCreating: false }))
  }, [chatUid, data, isSuccess, isFetching, isCreating, hasFailed, firstId, navigate, t])
}
