import { useEffect, useSyncExternalStore } from 'react'
import type { Session } from '#shared/chat/sessions/sessions.ts'

/** Marks the chat on screen as read, while its tab is visible. */
export function useReadMark(session: Pick<Session, 'id' | 'is_unread'> | null): void {
  const isVisible = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible')
  const id = session?.is_unread && isVisible ? session.id : null
  useEffect(() => {
    if (!id) return
    // The next poll says so if it failed, and it is tried again.
    import('./marks.ts')
      .then(({ markChats }) => markChats([{ session_id: id, is_unread: false }]))
      .catch(() => undefined)
  }, [id])
}

function onVisibility(tell: () => void): () => void {
  document.addEventListener('visibilitychange', tell)
  return () => document.removeEventListener('visibilitychange', tell)
}
