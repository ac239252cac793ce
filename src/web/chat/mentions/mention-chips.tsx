import clsx from 'clsx'
import { X } from 'lucide-react'
import type { NamedMention } from '#shared/chat/messages/mentions.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { mentionIcons } from './mention-icons.ts'

type MentionChipsProps = {
  mentions: readonly NamedMention[]
  /** Absent for a sent message, whose chips cannot be removed. */
  onRemove?: (mention: NamedMention) => void
}

/** Chips of the mentioned things. They can be removed until the message is sent. */
export function MentionChips({ mentions, onRemove }: MentionChipsProps) {
  const { t } = useTranslation('palette')
  return (
    <ul
      aria-label={t('mentions.label')}
      className={clsx('flex flex-wrap gap-1.5', onRemove ? 'px-1 pb-1.5' : 'max-w-[600px] justify-end')}
    >
      {mentions.map((mention) => {
        const Icon = mentionIcons[mention.kind]
        return (
          <li
            key={`${mention.kind} ${mention.id}`}
            className={clsx(
              'flex min-w-0 max-w-full items-center gap-1.5 rounded-control text-12',
              onRemove
                ? 'h-7 bg-accent-soft pl-2 text-accent max-md:h-10'
                : 'h-6 border border-line px-2 text-ink-3',
            )}
          >
            <Icon aria-hidden className="icon-14 flex-none" />
            <span className="sr-only">{t(`mentions.kinds.${mention.kind}`)}</span>{' '}
            <span className="max-w-60 truncate">{mention.name}</span>
            {onRemove && (
              <IconButton
                size="xs"
                name={t('mentions.remove', { name: mention.name })}
                className="max-md:size-10"
                onClick={() => onRemove(mention)}
              >
                <X aria-hidden className="icon-14" />
              </IconButton>
            )}
          </li>
        )
      })}
    </ul>
  )
}
