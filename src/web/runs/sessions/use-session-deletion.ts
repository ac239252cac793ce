import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { forgetChat } from '#shared/chat/memory/memory.ts'
import { deleteSession, type Session } from '#shared/chat/sessions/sessions.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { setCurrentSession, useCurrentSession } from '../../platform/lib/current-session.ts'
import { prefersReducedMotion } from '../../platform/lib/page-state.ts'
import { neighbourAfterDelete } from './session-pages.ts'
import { forgetSessions } from './sessions.ts'
import { offerUndo } from './undo.ts'

/** Duration of the collapse of a deleted row before the call, in milliseconds. */
const FOLD_MS = 850
const MAX_CONCURRENT = 4
const none: ReadonlySet<string> = new Set()

type Input = {
  /** Ids of the list, top to bottom. */
  order: readonly string[]
  currentId: string | null
  onFailed: () => void
}

/**
 * Deletes sessions after a confirmation and a collapse; that can be undone. Refused ones come back. If the current session is deleted, its
 * neighbour opens, or the start page.
 */
export function useSessionDeletion({ order, currentId, onFailed }: Input) {
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Session[]>([])
  const [folding, setFolding] = useState(none)
  const [forgets, setForgets] = useState(false)
  // The list changes while rows collapse; its state after the call counts.
  const latest = useRef({ order, currentId })
  latest.current = { order, currentId }

  const deleteNow = async (ids: ReadonlySet<string>, isForgetting: boolean) => {
    setFolding((before) => new Set([...before, ...ids]))
    await new Promise((resolve) => setTimeout(resolve, prefersReducedMotion() ? 0 : FOLD_MS))
    const gone = await deleteAll([...ids], isForgetting)
    const next = neighbourAfterDelete(latest.current.order, gone, latest.current.currentId)
    const remembered = useCurrentSession.getState().id
    if (remembered !== null && gone.has(remembered)) setCurrentSession(null)
    if (next) await navigate({ to: next === 'home' ? '/' : `/chat/${next}` })
    forgetSessions(gone)
    setFolding((before) => new Set([...before].filter((id) => !ids.has(id))))
    if (gone.size > 0) offerUndo({ kind: 'deleted', count: gone.size, undo: () => restoreAll([...gone]) })
    if (gone.size < ids.size) onFailed()
  }

  return {
    /** The sessions in the confirmation dialog; empty while it is closed. */
    asked,
    /** The sessions being removed. */
    folding,
    ask: (sessions: Session[]) => {
      setForgets(false)
      setAsked(sessions)
    },
    /** Deletes the facts learned in the sessions too. */
    forgets,
    setForgets,
    cancel: () => setAsked([]),
    confirm: () => {
      setAsked([])
      void deleteNow(new Set(asked.map(({ id }) => id)), forgets)
    },
  }
}

/** Deletes a few concurrently and returns the ids that are gone, including those gone before. */
async function deleteAll(ids: readonly string[], isForgetting: boolean): Promise<Set<string>> {
  const waiting = [...ids]
  const gone = new Set<string>()
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      if (await isDeleted(id, isForgetting)) gone.add(id)
    }
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, work))
  return gone
}

async function restoreAll(ids: readonly string[]): Promise<void> {
  const { restoreChats } = await import('./marks.ts')
  await restoreChats(ids)
}

async function isDeleted(sessionId: string, isForgetting: boolean): Promise<boolean> {
  try {
    // First, because a chat in the trash cannot be read any more.
    if (isForgetting) await call(forgetChat, { params: { sessionId } })
    await call(deleteSession, { params: { sessionId }, query: { undo: 'true' } })
    return true
  } catch (error) {
    return isApiError(error, 404)
  }
}
