import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ListedAssistant } from '#shared/chat/assistants/assistants.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { keepOwn } from '../../platform/lib/kept/kept.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { startChat } from '../../runs/sessions/sessions.ts'
import { chooseAssistant } from './choose-assistant.ts'

/** Opens an empty chat with an assistant, optionally with an initial text. */
export function useStartWith() {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const [isStarting, setStarting] = useState(false)
  const start = async (assistant: ListedAssistant, text = '') => {
    setStarting(true)
    try {
      const chatUid = await startChat()
      await chooseAssistant(chatUid, assistant)
      if (text) keepOwn(`draft:${chatUid}`, text)
      await navigate({ to: '/chat/$chatUid', params: { chatUid } })
    } catch (error) {
      void toast.error(errorText(t, error, 'errors.new_chat_failed'))
    } finally {
      setStarting(false)
    }
  }
  return { start: (assistant: ListedAssistant, text?: string) => void start(assistant, text), isStarting }
}
