import { useNavigate } from '@tanstack/react-router'
import clsx from 'clsx'
import { MessageCircleDashed } from 'lucide-react'
import { useState } from 'react'
import { createSession, type Session } from '#shared/chat/sessions/sessions.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { buttonLook } from '../../platform/ui/button.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'

type TemporarySwitchProps = {
  /** The empty chat on screen; null while it is unknown. */
  session: Session | null
  /** Leaves the temporary chat for a normal one. */
  onOff: () => void
}

/** Makes the new chat a temporary one, or a normal one again. */
export function TemporarySwitch({ session, onOff }: TemporarySwitchProps) {
  const { t } = useTranslation('streaming_blocks')
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const isOn = session?.is_temporary === true
  const begin = async () => {
    setBusy(true)
    try {
      const { session_metadata, model_name } = session ?? {}
      const made = await call(createSession, { body: { is_temporary: true, session_metadata, model_name } })
      // It is in no list.
      queryClient.setQueryData(['session', made.id], made)
      await navigate({ to: `/chat/${made.id}`, replace: true })
    } catch (error) {
      void toast.error(errorText(t, error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={t('temporary.switch')}
      data-tip={t('temporary.switch_tip')}
      disabled={isBusy}
      className={clsx(buttonLook({ variant: 'ghost' }), isOn && 'bg-accent-soft text-accent', 'max-md:w-11')}
      onClick={() => (isOn ? onOff() : void begin())}
    >
      <MessageCircleDashed aria-hidden className="icon" />
      <span className="max-md:sr-only">{t('temporary.switch')}</span>
    </button>
  )
}
