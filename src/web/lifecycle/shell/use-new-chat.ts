import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useCurrentSession } from '../../platform/lib/current-session.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { startChat } from '../../runs/sessions/sessions.ts'

/** Starts a conversation, or returns to an empty one: first `/`, so that the previous one leaves the screen. */
export function useNewChat(): () => Promise<void> {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  return useCallback(async () => {
    if (useCurrentSession.getState().isCreating) return
    useCurrentSession.setState({ id: null, isCreating: true })
    try {
      const started = startChat()
      await navigate({ to: '/' })
      const chatUid = await started
      await navigate({ to: '/chat/$chatUid', params: { chatUid }, replace: true })
    } catch (error) {
      void toast.error(errorText(t, error, 'errors.new_chat_failed'))
    } finally {
      useCurrentSession.setState({ isCreating: false })
    }
  }, [navigate, t])
}
