import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMessages } from '../chat/message-store.ts'

/**
 * Opens a message named by the address as `?message={id}` once the chat is loaded, and then restores the chat's address, so
 * that a reload shows the current state.
 */
export function useLinkedMessage(chatUid: string | null): void {
  const { message } = useSearch({ strict: false }) as { message?: string }
  const { t } = useTranslation('streaming_blocks')
  const navigate = useNavigate()
  const isReady = useMessages(
    (state) => state.chatSessionId === chatUid && !state.isLoading && state.error === null,
  )
  useEffect(() => {
    if (!message || !chatUid || !isReady) return
    void navigate({ to: `/chat/${chatUid}`, replace: true })
    void import('../branching/switch-branch.ts').then(({ goToBranch }) => goToBranch(message, t))
  }, [message, chatUid, isReady, navigate, t])
}
