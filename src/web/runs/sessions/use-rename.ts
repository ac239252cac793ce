import { useState } from 'react'
import { renameSession, type Session } from '#shared/chat/sessions/sessions.ts'
import { call } from '../../platform/lib/api/call.ts'
import { noteSession } from './sessions.ts'

/**
 * Renaming in place: which session is being renamed, and what becomes of it. The new title shows
 * at once and the old one comes back when the server refuses.
 */
export function useRename(onFailed: () => void) {
  const [renamingId, setRenamingId] = useState<string | null>(null)
  const end = async (session: Session, title: string | null) => {
    setRenamingId(null)
    if (title === null) return
    noteSession(session.id, { title })
    try {
      const answer = await call(renameSession, { params: { sessionId: session.id }, body: { title } })
      noteSession(session.id, { title: answer.title })
    } catch {
      noteSession(session.id, { title: session.title })
      onFailed()
    }
  }
  return { renamingId, start: setRenamingId, end }
}
