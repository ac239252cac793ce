import { useIsUnused } from '../../../runs/sessions/sessions.ts'
import { useMessages } from './message-store.ts'

/** Whether the chat of the address has no messages: what was read says so, and until then what the history knows. */
export function useIsEmpty(chatUid: string | null): boolean {
  const isUnused = useIsUnused(chatUid)
  const isEmpty = useMessages(({ chatSessionId, isLoading, error, order }) => {
    if (error !== null) return false
    const isRead = chatUid !== null && chatSessionId === chatUid && !isLoading
    return isRead || (order.length > 0 && chatSessionId === chatUid) ? order.length === 0 : null
  })
  return isEmpty ?? isUnused
}
