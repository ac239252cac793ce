import { ChevronDown, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Popover } from '../../../platform/ui/overlays/popover.tsx'
import { ModelChoice } from '../../composer/composer.tsx'
import { useMayWrite } from '../chat/may-write.ts'
import type { ChatMessage } from '../chat/message-store.ts'
import { regenerateMessage } from './regenerate.ts'

/** Requests another reply, with the same model or a chosen one; nothing for people who only read the chat. */
export function RegenerateButton({ message }: { message: ChatMessage }) {
  const { t } = useTranslation('streaming_blocks')
  const [isOpen, setOpen] = useState(false)
  if (!useMayWrite()) return null
  return (
    <>
      <IconButton name={t('branch.regenerate')} onClick={() => regenerateMessage(message.id, t)}>
        <RefreshCw aria-hidden className="icon" />
      </IconButton>
      <Popover
        name={t('branch.regenerate_with')}
        side="top"
        open={isOpen}
        onOpenChange={setOpen}
        className="w-[386px] !p-0"
        trigger={
          <IconButton name={t('branch.regenerate_with')} size="xs" className="-ml-1.5">
            <ChevronDown aria-hidden className="icon-12" />
          </IconButton>
        }
      >
        <ModelChoice
          modelName={message.model_name}
          note={t('branch.model_note')}
          onChoose={(model) => {
            setOpen(false)
            regenerateMessage(message.id, t, model)
          }}
        />
      </Popover>
    </>
  )
}
