import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { startChat } from '../../runs/sessions/sessions.ts'

/** Opens an empty chat with the form of a prompt. */
export function useStartWithPrompt() {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const [isStarting, setStarting] = useState(false)
  const start = async (promptId: string) => {
    setStarting(true)
    try {
      const chatUid = await startChat()
      await navigate({ to: '/chat/$chatUid', params: { chatUid }, state: { promptId } })
    } catch (error) {
      void toast.error(errorText(t, error, 'errors.new_chat_failed'))
    } finally {
      setStarting(false)
    }
  }
  return { start: (promptId: string) => void start(promptId), isStarting }
}
