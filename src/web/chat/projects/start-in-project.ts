import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createSession } from '#shared/chat/sessions/sessions.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { setSheetOpen } from '../../platform/lib/layout.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { addSession } from '../../runs/sessions/sessions.ts'
import { noteOpening, sendEarly } from '../composer/composer.tsx'
import { readProjectsAgain } from './use-projects.ts'

/** Starts a chat in a project and opens it; a text is its first message. Returns false if that failed. */
export function useStartInProject() {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const [isStarting, setStarting] = useState(false)
  const start = async (workspace_id: string, text = ''): Promise<boolean> => {
    setStarting(true)
    try {
      const chatUid = addSession(await call(createSession, { body: { workspace_id } }))
      if (text.trim()) {
        noteOpening(chatUid)
        sendEarly(text)
      }
      setSheetOpen(false)
      await navigate({ to: '/chat/$chatUid', params: { chatUid } })
      void readProjectsAgain()
      return true
    } catch (error) {
      void toast.error(errorText(t, error, 'errors.new_chat_failed'))
      return false
    } finally {
      setStarting(false)
    }
  }
  return { start, isStarting }
}
