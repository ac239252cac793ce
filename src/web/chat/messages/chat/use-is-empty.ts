import { useIsUnused } from '../../../runs/sessions/sessions.ts'
import { useMessages } from './message-store.ts'

/** Returns whether the chat of the address has no messages: as loaded, and until then as the history knows. */
export function useIsEmpty(chatUid: string | null): boolean {
  const isUnused = useIsUnused(chatUid)
  const isEmpty = useMessages(({ chatSessionId, isLoading, error, order }) => {
    if (error !== null) return false
    const isRead = chatUid !== null && chatSessionId === chatUid && !isLoading
    return isRead || (order.length > 0 && chatSessionId === chatUid) ? order.length === 0 : null
  })
  return isEmpty ?? isUnused
}
