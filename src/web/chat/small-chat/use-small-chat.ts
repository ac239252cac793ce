import { useCallback, useEffect, useRef, useState } from 'react'
import { getActiveBranch } from '#shared/chat/messages/messages.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { applyEvent } from '#shared/runs/runs/reduce/reduce.ts'
import { stopRun } from '#shared/runs/runs/runs.ts'
import type { RunView } from '#shared/runs/runs/view.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { followRun, leaveRun, liveViews, type StreamStart } from '../../runs/runs/runs.ts'

/** Key of the live view of the reply in progress. */
export const LIVE = 'small-reply'
/** Maximum messages shown of a chat. */
const SHOWN = 100

/** Storage of the chat, and how it is created. */
export type ChatPlace = {
  /** Returns the existing chat. */
  read: () => string | null
  /** Called before each message: returns its chat. */
  open: () => Promise<string>
  forget: () => void
}

export type SmallChat = {
  sessionId: string | null
  messages: readonly Message[]
  /** The latest question until the chat contains it. */
  asked: string | null
  isLoading: boolean
  isWriting: boolean
  isReconnecting: boolean
  /** Why the last question failed, or the chat could not be loaded. */
  error: unknown
  /** Returns whether it was accepted; a later refusal returns it through `onRefused`. */
  send: (text: string) => boolean
  stop: () => void
  /** Resumes a waiting reply. */
  goOn: () => void
  restart: () => void
}

/** A chat in a small space: messages, the reply in progress, and actions. One stream at a time. */
export function useSmallChat(
  sessionId: string | null,
  place: ChatPlace,
  onRefused: (text: string) => void,
): SmallChat {
  const [messages, setMessages] = useState<readonly Message[]>([])
  const [asked, setAsked] = useState<string | null>(null)
  const [isLoading, setLoading] = useState(sessionId !== null)
  const [isWriting, setWriting] = useState(false)
  const [isReconnecting, setReconnecting] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const refused = useRef(onRefused)
  refused.current = onRefused
  const at = useRef(place)
  at.current = place

  const read = useCallback(async (id: string) => {
    const query = { limit: SHOWN }
    const { active_branch } = await call(getActiveBranch, { params: { sessionId: id }, query })
    if (at.current.read() !== id) return null
    setMessages(active_branch)
    return active_branch.at(-1) ?? null
  }, [])

  const follow = useCallback(
    (id: string, start: StreamStart, text: string | null = null) => {
      let view: RunView | null = null
      const isHere = () => at.current.read() === id
      const end = async (problem: unknown) => {
        if (!isHere()) return
        await read(id).catch((why) => setError(why))
        liveViews.close(LIVE)
        setAsked(null)
        setWriting(false)
        setReconnecting(false)
        if (problem === null) return
        // No reply is in progress, which is not an error for a reader.
        if (text === null && isApiError(problem, 404)) return
        setError(problem)
        if (text !== null && view === null) refused.current(text)
      }
      setWriting(true)
      followRun(id, start, {
        event: (event) => {
          view = applyEvent(view, event)
          liveViews.set(LIVE, view)
        },
        ended: () => void end(null),
        failed: (why) => void end(why),
        trouble: (attempt) => setReconnecting(attempt !== null && attempt > 1),
      })
    },
    [read],
  )

  useEffect(() => {
    const id = at.current.read()
    if (!id) return
    read(id)
      .then((last) => {
        if (last?.status === 'streaming' && !standsStill(last))
          follow(id, { kind: 'attach', messageId: last.id })
      })
      .catch((why) => (isApiError(why, 404) ? at.current.forget() : setError(why)))
      .finally(() => setLoading(false))
    return () => leaveRun(id)
  }, [read, follow])

  const ask = async (text: string) => {
    try {
      const id = await at.current.open()
      follow(id, { kind: 'send', body: { content: text, client_id: newClientId(), role: 'user' } }, text)
    } catch (why) {
      setError(why)
      setAsked(null)
      setWriting(false)
      refused.current(text)
    }
  }
  return {
    ...{ sessionId, messages, asked, isLoading, isWriting, isReconnecting, error },
    send: (text) => {
      if (isWriting || isLoading || !text.trim()) return false
      setError(null)
      setAsked(text)
      setWriting(true)
      void ask(text)
      return true
    },
    stop: () => {
      if (sessionId) call(stopRun, { params: { sessionId } }).catch((why) => setError(why))
    },
    goOn: () => {
      const last = messages.at(-1)
      if (sessionId && last) follow(sessionId, { kind: 'attach', messageId: last.id })
    },
    restart: () => {
      if (sessionId) leaveRun(sessionId)
      at.current.forget()
      liveViews.close(LIVE)
      setMessages([])
      setAsked(null)
      setWriting(false)
      setError(null)
    },
  }
}

/** Returns whether a reply waits for a person, or for a top-up. */
export function standsStill({ blocks }: Message): boolean {
  const last = blocks.findLast(({ type }) => type !== 'checkpoint')
  return last?.type === 'paused' || (last?.type === 'input_required' && last.state === 'waiting')
}

/** Returns a unique id of a message, so that it is stored once. `randomUUID` is missing on plain http. */
const newClientId = () => crypto.getRandomValues(new Uint32Array(4)).join('-')
