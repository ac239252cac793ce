import { useEffect, useState } from 'react'
import { loadTexts } from '../../../platform/i18n/i18n.ts'
import { useMessages } from '../chat/message-store.ts'
import type { Standstill } from './waiting.ts'

let isReady = false

/** Preloads the request forms with their texts. */
export async function loadDock() {
  const [file] = await Promise.all([
    import('../../../runs/input-requests/input-requests.tsx'),
    loadTexts('tool_ui'),
  ])
  isReady = true
  return file
}

/**
 * Returns whether the messages of a chat wait for the requests above its composer, so that both appear together and nothing
 * jumps. Only until they are on screen, and only for a limited time.
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
