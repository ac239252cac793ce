import { Milestone } from 'lucide-react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { closeChatPanel, openPanel, useChatPanel } from '../../../platform/lib/chat-panel.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'

/** Opens the list of checkpoints next to the chat. */
export function CheckpointsButton({ messageId }: { messageId: string }) {
  const { t } = useTranslation('streaming_blocks')
  const isOn = useChatPanel(({ shown, subject }) => shown === 'checkpoints' && subject === messageId)
  return (
    <IconButton
      name={t('panel.checkpoints')}
      aria-expanded={isOn}
      on={isOn}
      onClick={() => (isOn ? closeChatPanel() : openPanel('checkpoints', messageId))}
    >
      <Milestone aria-hidden className="icon" />
    </IconButton>
  )
}
