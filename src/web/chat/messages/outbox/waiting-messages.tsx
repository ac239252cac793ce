import { Clock, Pencil, WifiOff, X } from 'lucide-react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { giveDraft } from '../../composer/composer.tsx'
import { addMentions } from '../../mentions/mentions.ts'
import { dropWaiting, type Waiting } from './outbox.ts'

type WaitingMessagesProps = { sessionId: string; waiting: readonly Waiting[]; onEdit: () => void }

/** Queued messages with the reason; each can be edited or removed. */
export function WaitingMessages({ sessionId, waiting, onEdit }: WaitingMessagesProps) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <ul
      aria-label={t('outbox.label')}
      aria-live="polite"
      className="mb-2 grid max-h-[30dvh] gap-1 overflow-y-auto"
    >
      {waiting.map(({ clientId, text, mentions, waitsFor }) => {
        const Icon = waitsFor === 'connection' ? WifiOff : Clock
        return (
          <li
            key={clientId}
            className="flex items-center gap-2.5 rounded-control border border-line bg-surface py-1 pr-1 pl-3 text-13"
          >
            <Icon aria-hidden className="icon-14 text-ink-3" />
            <span className="min-w-0 flex-1">
              <span dir="auto" className="block truncate">
                {text}
              </span>
              <span className="block text-12 text-ink-3">{t(`outbox.${waitsFor}`)}</span>
            </span>
            <IconButton
              name={t('outbox.edit')}
              size="sm"
              onClick={() => {
                dropWaiting(sessionId, clientId)
                giveDraft(sessionId, text)
                if (mentions) addMentions(sessionId, mentions)
                onEdit()
              }}
            >
              <Pencil aria-hidden className="icon" />
            </IconButton>
            <IconButton name={t('outbox.remove')} size="sm" onClick={() => dropWaiting(sessionId, clientId)}>
              <X aria-hidden className="icon" />
            </IconButton>
          </li>
        )
      })}
    </ul>
  )
}
