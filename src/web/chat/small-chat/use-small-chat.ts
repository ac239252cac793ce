import { useCallback, useEffect, useRef, useState } from 'react'
import { getActiveBranch } from '#shared/chat/messages/messages.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { applyEvent } from '#shared/runs/runs/reduce/reduce.ts'
import { stopRun } from '#shared/runs/runs/runs.ts'
import type { RunView } from '#shared/runs/runs/view.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { followRun, leaveRun, liveViews, type StreamStart } from '../../runs/runs/runs.ts'

/** The live view of the reply that is being written. */
export const LIVE = 'small-reply'
/** As many messages as are shown of a chat. */
const SHOWN = 100

/** Where the chat is kept, and how it comes to be. */
export type ChatPlace = {
  /** The chat there is. */
  read: () => string | null
  /** Asked for before each message: gives the chat it goes to. */
  open: () => Promise<string>
  forget: () => void
}

export type SmallChat = {
  sessionId: string | null
  messages: readonly Message[]
  /** What was just asked, until the chat has it. */
  asked: string | null
  isLoading: boolean
  isWriting: boolean
  isReconnecting: boolean
  /** Why the last question could not be asked, or the chat not be read. */
  error: unknown
  /** Gives whether it was taken; what is refused later comes back through `onRefused`. */
  send: (text: string) => boolean
  stop: () => void
  /** Goes on with a reply that stood still. */
  goOn: () => void
  restart: () => void
}

/** A chat in a narrow place: what was said, what is being said, and the ways on. One stream at a time. */
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
        // Nothing is being written: that is no failure of somebody who only looked.
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

/** Whether a reply waits for a person, or for whoever pays. */
export function standsStill({ blocks }: Message): boolean {
  const last = blocks.findLast(({ type }) => type !== 'checkpoint')
  return last?.type === 'paused' || (last?.type === 'input_required' && last.state === 'waiting')
}

/** A name for a message, so that it is stored once. `randomUUID` is missing on plain http. */
const newClientId = () => crypto.getRandomValues(new Uint32Array(4)).join('-')
