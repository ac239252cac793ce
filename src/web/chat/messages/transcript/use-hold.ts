import { useEffect, useState } from 'react'
import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import { areToolsReady, prepareTools } from '../blocks/lazy-tools.tsx'
import { type MessageState, useMessages } from '../chat/message-store.ts'
import { isDockLoaded, loadDock } from '../standstill/load-dock.ts'
import type { Standstill } from '../standstill/waiting.ts'

/** Messages at the end of a chat that may be on its first screen. */
const FIRST_SCREEN = 8
const MAX_HOLD_MS = 2000

/**
 * Returns whether the messages of a chat wait for their tool cards and the requests above the composer, so that all appear
 * together and nothing jumps. Only until they are on screen, and at most for `MAX_HOLD_MS`.
 */
export function useHold(sessionId: string | null, standstill: Standstill | null): boolean {
  const isRead = useMessages((state) => !state.isLoading && state.chatSessionId === sessionId)
  const tools = useMessages(toolsAtEnd)
  const isAsked = standstill !== null && standstill.requests.length > 0
  const [goesOn, setGoesOn] = useState<string | null>(null)
  const isMissing = (isAsked && !isDockLoaded()) || !areToolsReady(namesIn(tools))
  const isHeld = isMissing && goesOn !== sessionId
  useEffect(() => {
    if (!isHeld) {
      if (isRead) setGoesOn(sessionId)
      return
    }
    let isCurrent = true
    const go = () => {
      if (isCurrent) setGoesOn(sessionId)
    }
    Promise.all([isAsked && loadDock(), prepareTools(namesIn(tools))]).then(go, go)
    const timer = setTimeout(go, MAX_HOLD_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [isHeld, isRead, isAsked, sessionId, tools])
  return isHeld
}

/** Returns the tools called in the last messages, as one string, which stays equal while they do. */
function toolsAtEnd({ order, messagesById }: MessageState): string {
  const called = order
    .slice(-FIRST_SCREEN)
    .flatMap((id) => messagesById[id]?.blocks ?? [])
    .filter((block): block is ToolBlock => block.type === 'tool')
  return [...new Set(called.map(({ tool_id }) => tool_id))].join('\n')
}

const namesIn = (tools: string) => tools.split('\n').filter((name) => name !== '')
