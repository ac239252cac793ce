import { useState } from 'react'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { ShareButton, ShareDialog } from '../../identity/sharing/sharing.tsx'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { HandOver } from './hand-over.tsx'

type Shareable = Pick<Assistant, 'id' | 'name' | 'status'> & { can_hand_over?: boolean }
type ShareAssistantProps = { assistant: Shareable; onClose: () => void }

/** The share dialog of an assistant. Its owner can also hand it over there. */
export function ShareAssistant({ assistant, onClose }: ShareAssistantProps) {
  const { t } = useTranslation('assistant')
  const [isHanding, setHanding] = useState(false)
  const { id, name, status, can_hand_over } = assistant
  if (isHanding) return <HandOver assistant={assistant} onClose={onClose} />
  return (
    <ShareDialog
      thing={{ kind: 'assistant', id, name }}
      note={`${status === 'draft' ? `${t('sharing.draft')} ` : ''}${t('sharing.note')}`}
      action={can_hand_over && <Button onClick={() => setHanding(true)}>{t('hand_over.begin')}</Button>}
      onClose={onClose}
    />
  )
}

/** Opens the share dialog of an assistant. */
export function ShareAssistantButton({ assistant }: { assistant: Shareable }) {
  return (
    <ShareButton isInBar>
      {(onClose) => <ShareAssistant assistant={assistant} onClose={onClose} />}
    </ShareButton>
  )
}
