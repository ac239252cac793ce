import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMessages } from '../chat/message-store.ts'

/**
 * A message that the address names, as `?message={id}`, is opened once the chat is there. The address then is the
 * chat's again: read anew, it shows where things stand.
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
