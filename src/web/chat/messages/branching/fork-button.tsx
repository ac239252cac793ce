import { useNavigate } from '@tanstack/react-router'
import { GitFork } from 'lucide-react'
import { useState } from 'react'
import { forkMessage } from '#shared/chat/forks/forks.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { addSession } from '../../../runs/sessions/sessions.ts'
import type { ChatMessage } from '../chat/message-store.ts'

/** Opens a new chat that begins with the messages up to this one. */
export function ForkButton({ message, isSmall }: { message: ChatMessage; isSmall?: boolean }) {
  const { t } = useTranslation('streaming_blocks')
  const navigate = useNavigate()
  const [isForking, setForking] = useState(false)
  const fork = async () => {
    if (isForking) return
    setForking(true)
    try {
      const params = { sessionId: message.chat_session_id, messageId: message.id }
      const id = addSession(await call(forkMessage, { params, body: {} }))
      await navigate({ to: `/chat/${id}` })
    } catch (error) {
      toast.error(errorText(t, error))
    } finally {
      setForking(false)
    }
  }
  return (
    <IconButton
      name={t('branch.fork')}
      size={isSmall ? 'sm' : undefined}
      disabled={isForking}
      onClick={() => void fork()}
    >
      <GitFork aria-hidden className="icon" />
    </IconButton>
  )
}
