import { useEffect, useRef } from 'react'
import { RENEWAL_MS, renewTemporaryChat } from '#shared/chat/temporary-chats/temporary-chats.ts'
import { call } from '../../platform/lib/api/call.ts'
import { closeOnLeaving, closeTemporary } from './close-temporary.ts'

/** Closings about to begin, which showing the chat again prevents. */
const closing = new Map<string, ReturnType<typeof setTimeout>>()

/** Renews a temporary chat while it is shown, and closes it when it is not. Returns a function that lets it stay. */
export function useLease(sessionId: string): () => void {
  const isKept = useRef(false)
  useEffect(() => {
    clearTimeout(closing.get(sessionId))
    // A lost connection is reported elsewhere, and a chat that has ended is left by its view.
    const renew = () =>
      call(renewTemporaryChat, { params: { sessionId }, quiet: true }).catch(() => undefined)
    const timer = setInterval(renew, RENEWAL_MS)
    const leave = () => closeOnLeaving(sessionId)
    window.addEventListener('pagehide', leave)
    return () => {
      clearInterval(timer)
      window.removeEventListener('pagehide', leave)
      if (isKept.current) return
      closing.set(
        sessionId,
        setTimeout(() => void closeTemporary(sessionId)),
      )
    }
  }, [sessionId])
  return () => {
    isKept.current = true
  }
}
