import clsx from 'clsx'
import {
  Brain,
  Check,
  CircleCheck,
  CirclePause,
  CornerDownRight,
  Flag,
  type LucideIcon,
  Pencil,
  Undo2,
} from 'lucide-react'
import { useState } from 'react'
import type { Checkpoint } from '#shared/chat/checkpoints/checkpoints.ts'
import { formatCost, formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { CheckpointNameField, checkpointLabel, useMessages } from '../messages/messages.tsx'
import { detailIn } from './detail.ts'
import { returnFrom } from './return-from.ts'

type RowProps = {
  item: Checkpoint
  side: 'A' | 'B' | null
  isLast: boolean
  onChoose: () => void
}

/** One checkpoint, with a mark for comparison, an inline name and a return button. */
export function CheckpointRow({ item, side, isLast, onChoose }: RowProps) {
  const { t } = useTranslation('streaming_blocks')
  const [isNaming, setNaming] = useState(false)
  const isStreaming = useMessages((state) => state.isStreaming)
  const detail = useMessages(({ messagesById }) =>
    detailIn(messagesById[item.message_id]?.blocks ?? [], item),
  )
  const words = checkpointLabel(t, item.checkpoint_name)
  const name = item.label ?? words
  const Icon = iconOf(item.checkpoint_name)
  return (
    <li
      className={clsx(
        'relative flex h-[39px] items-center gap-2.5 rounded-control px-2 text-13 max-md:h-12',
        side ? 'bg-accent-soft' : 'hover:bg-surface',
      )}
    >
      {!isLast && <span aria-hidden className="absolute top-1/2 left-[19px] h-full w-px bg-line-2" />}
      <button
        type="button"
        aria-pressed={side !== null}
        aria-label={t(side ? 'checkpoints.chosen' : 'checkpoints.choose', { name, side })}
        onClick={onChoose}
        className={clsx(
          'relative grid size-6 flex-none place-items-center rounded-full border text-11 font-semibold hover-motion max-md:size-8',
          side
            ? 'border-transparent bg-accent text-accent-fg'
            : 'border-line-2 bg-bg text-ink-2 hover:border-line-strong',
        )}
      >
        {side ?? <Icon aria-hidden className="icon-12" />}
      </button>
      {isNaming ? (
        <CheckpointNameField
          id={item.id}
          label={item.label}
          placeholder={words}
          onEnd={() => setNaming(false)}
        />
      ) : (
        <span className="min-w-0 flex-1 truncate">
          <span className="font-medium">{name}</span>
          <span className="ml-2 text-ink-3">{item.label ? words : detail}</span>
        </span>
      )}
      <span className="num w-14 flex-none text-right text-12 text-ink-3 max-md:hidden">
        {item.cost > 0 && formatCost(item.cost)}
      </span>
      <time dateTime={item.created_at} className="num w-15 flex-none text-right text-12 text-ink-3">
        {formatDate(item.created_at, { timeStyle: 'medium' })}
      </time>
      <span className="flex flex-none">
        <IconButton name={t('checkpoint.rename', { name })} size="xs" onClick={() => setNaming(true)}>
          <Pencil aria-hidden className="icon-14" />
        </IconButton>
        <IconButton
          name={t('checkpoint.return_to', { name })}
          size="xs"
          disabled={isStreaming}
          onClick={() => void returnFrom(item, t)}
        >
          <Undo2 aria-hidden className="icon-14" />
        </IconButton>
      </span>
    </li>
  )
}

const icons: [RegExp, LucideIcon][] = [
  [/_with_input/, CornerDownRight],
  [/waiting_for_input/, CirclePause],
  [/after_step/, Check],
  [/llm_checkpoint/, Brain],
  [/completed/, CircleCheck],
]

function iconOf(name: string): LucideIcon {
  return icons.find(([pattern]) => pattern.test(name))?.[1] ?? Flag
}
