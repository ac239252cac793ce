import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { createSession } from '#shared/sessions/sessions.ts'
import { errorText } from '../i18n/error-text.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { call } from '../lib/call.ts'
import { useCurrentSession } from '../lib/current-session.ts'
import { queryClient } from '../lib/query-client.ts'
import { addSession } from '../sessions/sessions.ts'
import { toast } from '../ui/toasts/toasts.ts'

/** Starts a conversation: first `/`, so that the old one leaves the screen, then the new one's address. */
export function useNewChat(): () => Promise<void> {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  return useCallback(async () => {
    if (useCurrentSession.getState().isCreating) return
    useCurrentSession.setState({ id: null, isCreating: true })
    try {
      const created = call(createSession, {})
      await navigate({ to: '/' })
      const session = await created
      queryClient.setQueryData(['session', session.id], session)
      addSession(session)
      await navigate({ to: '/chat/$chatUid', params: { chatUid: session.id }, replace: true })
    } catch (error) {
      void toast.error(errorText(t, error, 'errors.new_chat_failed'))
    } finally {
      useCurrentSession.setState({ isCreating: false })
    }
  }, [navigate, t])
}
