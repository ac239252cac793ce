import { useEffect, useState } from 'react'
import { loadTexts } from '../../../platform/i18n/i18n.ts'
import { useMessages } from '../chat/message-store.ts'
import type { Standstill } from './waiting.ts'

let isReady = false

/** Fetches what draws the requests of a run, with its texts. */
export async function loadDock() {
  const [file] = await Promise.all([
    import('../../../runs/input-requests/input-requests.tsx'),
    loadTexts('tool_ui'),
  ])
  isReady = true
  return file
}

/**
 * Whether the messages of a chat wait for the requests above its composer, so that both come at once and nothing jumps: only
 * until they are on screen, and no longer than the requests can be hoped for.
 */
export function useHoldForDock(sessionId: string | null, standstill: Standstill | null): boolean {
  const isRead = useMessages((state) => !state.isLoading && state.chatSessionId === sessionId)
  const isAsked = standstill !== null && standstill.requests.length > 0
  const [goesOn, setGoesOn] = useState<string | null>(null)
  const isHeld = isAsked && !isReady && goesOn !== sessionId
  useEffect(() => {
    if (!isHeld) {
      if (isRead) setGoesOn(sessionId)
      return
    }
    let isCurrent = true
    const go = () => {
      if (isCurrent) setGoesOn(sessionId)
    }
    loadDock().then(go, go)
    return () => {
      isCurrent = false
    }
  }, [isHeld, isRead, sessionId])
  return isHeld
}
