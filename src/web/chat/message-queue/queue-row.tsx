import { CornerDownRight, EllipsisVertical, Pencil, X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import type { QueuedMessage } from '#shared/chat/message-queue/message-queue.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isComposing } from '../../platform/lib/enter-key.ts'
import { Button } from '../../platform/ui/button.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Menu } from '../../platform/ui/overlays/menu.tsx'
import type { MenuEntry } from '../../platform/ui/overlays/menu-entry.ts'
import { QueuedEdit } from './queued-edit.tsx'

type QueueRowProps = {
  item: QueuedMessage
  /** Its place in the queue; 0 for a message that steers. */
  number: number
  isRunning: boolean
  /** False for people who only read the chat. */
  mayChange: boolean
  /** The messages around it; absent at the ends. `beforeThat` is null in the second place. */
  before: string | undefined
  beforeThat: string | null
  after: string | undefined
  onChange: (change: {
    content?: string
    way?: QueuedMessage['way']
    after_id?: string | null
  }) => Promise<boolean>
  onWithdraw: () => Promise<boolean>
  onGone: (text: string) => void
}

/** One waiting message. Alt and an arrow move it, as its menu does. */
export function QueueRow(props: QueueRowProps) {
  const { item, number, isRunning, mayChange, before, beforeThat, after, onChange, onWithdraw, onGone } =
    props
  const { t } = useTranslation('streaming_blocks')
  const [isEdited, setEdited] = useState(false)
  const up = before === undefined ? null : () => void onChange({ after_id: beforeThat })
  const down = after === undefined ? null : () => void onChange({ after_id: after })
  const onKey = (event: KeyboardEvent) => {
    const move = event.key === 'ArrowUp' ? up : event.key === 'ArrowDown' ? down : null
    if (!mayChange || !event.altKey || isComposing(event) || !move) return
    event.preventDefault()
    move()
  }
  const isSteering = item.way === 'steer'
  const more: MenuEntry[] = [
    ...(isRunning && !isSteering
      ? [{ label: t('queue.steer_now'), onSelect: () => void onChange({ way: 'steer' }) }]
      : []),
    ...(isSteering ? [{ label: t('queue.to_queue'), onSelect: () => void onChange({ way: 'queue' }) }] : []),
    ...(isRunning || number > 1
      ? [
          {
            label: t(isRunning ? 'queue.interrupt_now' : 'queue.send_now'),
            onSelect: () => void onChange({ way: 'interrupt' }),
          },
        ]
      : []),
    ...(up ? [{ label: t('queue.up'), onSelect: up }] : []),
    ...(down ? [{ label: t('queue.down'), onSelect: down }] : []),
  ]
  if (isEdited)
    return (
      <QueuedEdit
        content={item.content}
        onSave={async (content) => {
          setEdited(false)
          if (content !== item.content && !(await onChange({ content }))) onGone(content)
        }}
        onCancel={() => setEdited(false)}
        onGone={onGone}
      />
    )
  return (
    <li
      onKeyDown={onKey}
      className="flex min-h-10 items-center gap-2 border-t border-line pr-1 pl-3 text-13 max-md:min-h-12"
    >
      {isSteering ? (
        <CornerDownRight aria-hidden className="icon-14 flex-none text-accent" />
      ) : (
        <span className="num w-3.5 flex-none text-12 text-ink-3">{number}</span>
      )}
      <span className="min-w-0 flex-1 py-1">
        <span dir="auto" className="block truncate" title={item.content}>
          {item.content}
        </span>
        {(isSteering || item.failure) && (
          <span className={`block text-12 ${item.failure ? 'text-danger' : 'text-ink-3'}`}>
            {item.failure
              ? t(`common:errors.${item.failure}`, { defaultValue: t('queue.held.refused') })
              : t('queue.will_steer')}
          </span>
        )}
      </span>
      {mayChange && !item.is_claimed && (
        <>
          {!isRunning && number === 1 && (
            <Button size="sm" onClick={() => void onChange({ way: 'interrupt' })}>
              {t('queue.send_now')}
            </Button>
          )}
          <IconButton name={t('queue.edit')} size="sm" onClick={() => setEdited(true)}>
            <Pencil aria-hidden className="icon" />
          </IconButton>
          <IconButton name={t('queue.withdraw')} size="sm" onClick={() => void onWithdraw()}>
            <X aria-hidden className="icon" />
          </IconButton>
          {more.length > 0 && (
            <Menu
              side="top"
              align="end"
              entries={more}
              trigger={
                <IconButton name={t('queue.more')} size="sm">
                  <EllipsisVertical aria-hidden className="icon" />
                </IconButton>
              }
            />
          )}
        </>
      )}
    </li>
  )
}
