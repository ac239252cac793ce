import { useEffect, useEffectEvent, useRef } from 'react'
import type { QueuedMessage } from '#shared/chat/message-queue/message-queue.ts'

/** Time that the page gets to follow the next run by itself, in milliseconds. */
const FOLLOWS_MS = 400

/**
 * Calls `onSent` when messages have left the queue and no reply is followed. Their runs may have begun and ended between two reports to
 * this page.
 */
export function useSent(items: readonly QueuedMessage[], isRunning: boolean, onSent: () => void): void {
  const before = useRef<readonly string[]>([])
  const isMissed = useRef(false)
  const tell = useEffectEvent(onSent)
  useEffect(() => {
    const ids = items.map(({ id }) => id)
    if (before.current.some((id) => !ids.includes(id))) isMissed.current = true
    before.current = ids
    if (!isMissed.current || isRunning) return
    const timer = setTimeout(() => {
      isMissed.current = false
      tell()
    }, FOLLOWS_MS)
    return () => clearTimeout(timer)
  }, [items, isRunning])
}
