import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { giveDraft } from '../../chat/composer/composer.tsx'
import { addFiles } from '../../knowledge/uploads/uploads.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { forgetReceived } from '../../platform/lib/kept/kept-answers.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Loader } from '../../platform/ui/states/loader.tsx'
import { View } from '../../platform/ui/view.tsx'
import { startChat } from '../../runs/sessions/sessions.ts'
import { readReceived } from './received.ts'

/** Opens a new chat with what another app shared: the text as a draft, the files as documents of the chat. */
export function ReceivedView() {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const attempted = useRef(-1)
  const [attempt, setAttempt] = useState(0)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    // One attempt opens one chat.
    if (attempted.current === attempt) return
    attempted.current = attempt
    const open = async () => {
      setError(null)
      const { text, files } = await readReceived()
      if (!text && files.length === 0) return navigate({ to: '/', replace: true })
      const chatUid = await startChat()
      if (text) giveDraft(chatUid, text)
      await forgetReceived()
      await navigate({ to: '/chat/$chatUid', params: { chatUid }, replace: true })
      addFiles(
        files.map((file) => ({ file, path: '' })),
        { sessionId: chatUid },
      )
    }
    open().catch(setError)
  }, [navigate, attempt])
  return (
    <View title={t('nav.new_chat')}>
      {error === null ? (
        <Loader text={t('loading_view')} />
      ) : (
        <Callout
          tone="danger"
          className="m-4"
          title={t('errors.new_chat_failed')}
          action={
            <Button size="sm" onClick={() => setAttempt((count) => count + 1)}>
              {t('actions.retry')}
            </Button>
          }
        >
          {errorText(t, error)}
        </Callout>
      )}
    </View>
  )
}
