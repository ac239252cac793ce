import { useEffect, useSyncExternalStore } from 'react'
import type { Session } from '#shared/chat/sessions/sessions.ts'

/** Delay before a failed call is repeated. */
const RETRY_MS = 3_000

/** Marks the chat on screen as read, while its tab is visible. */
export function useReadMark(session: Pick<Session, 'id' | 'is_unread'> | null): void {
  const isVisible = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible')
  const id = session?.is_unread && isVisible ? session.id : null
  useEffect(() => {
    if (!id) return
    let retry: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const markRead = async () => {
      try {
        const { markChats } = await import('./marks.ts')
        await markChats([{ session_id: id, is_unread: false }])
      } catch {
        if (!isOver) retry = setTimeout(markRead, RETRY_MS)
      }
    }
    void markRead()
    return () => {
      isOver = true
      clearTimeout(retry)
    }
  }, [id])
}

function onVisibility(tell: () => void): () => void {
  document.addEventListener('visibilitychange', tell)
  return () => document.removeEventListener('visibilitychange', tell)
}
