import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { giveDraft } from '../../chat/composer/composer.tsx'
import { addFiles } from '../../knowledge/uploads/uploads.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Loader } from '../../platform/ui/states/loader.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { View } from '../../platform/ui/view.tsx'
import { startChat } from '../../runs/sessions/sessions.ts'
import { takeReceived } from './received.ts'

/** Opens a new chat with what another app shared: the text as a draft, the files as documents of the chat. */
export function ReceivedView() {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const hasBegun = useRef(false)
  useEffect(() => {
    // It can be taken only once.
    if (hasBegun.current) return
    hasBegun.current = true
    const open = async () => {
      const { text, files } = await takeReceived()
      if (!text && files.length === 0) return navigate({ to: '/', replace: true })
      const chatUid = await startChat()
      if (text) giveDraft(chatUid, text)
      await navigate({ to: '/chat/$chatUid', params: { chatUid }, replace: true })
      addFiles(
        files.map((file) => ({ file, path: '' })),
        { sessionId: chatUid },
      )
    }
    open().catch((error) => {
      void toast.error(errorText(t, error, 'errors.new_chat_failed'))
      void navigate({ to: '/', replace: true })
    })
  }, [navigate, t])
  return (
    <View title={t('nav.new_chat')}>
      <Loader text={t('loading_view')} />
    </View>
  )
}
