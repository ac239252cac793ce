import { useState } from 'react'
import { renameSession, type Session } from '#shared/chat/sessions/sessions.ts'
import { call } from '../../platform/lib/api/call.ts'
import { noteChange, noteSession } from './sessions.ts'

/** Inline renaming of a session. The new title shows immediately, and the old one returns if the server refuses. */
export function useRename(onFailed: () => void) {
  const [renamingId, setRenamingId] = useState<string | null>(null)
  const end = async (session: Session, title: string | null) => {
    setRenamingId(null)
    if (title === null) return
    noteSession(session.id, { title })
    try {
      const answer = await call(renameSession, { params: { sessionId: session.id }, body: { title } })
      noteChange(session.id, { title: answer.title })
    } catch {
      noteSession(session.id, { title: session.title })
      onFailed()
    }
  }
  return { renamingId, start: setRenamingId, end }
}
