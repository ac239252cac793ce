import { useTranslation } from '../../platform/i18n/i18n.ts'
import { QueueRow } from './queue-row.tsx'
import { useQueue } from './use-queue.ts'
import { useSent } from './use-sent.ts'

type QueueListProps = {
  sessionId: string
  /** A run works or waits for a person, so that messages can steer it. */
  isRunning: boolean
  /** False for people who only read the chat. */
  mayChange: boolean
  /** Messages of the queue were sent while no reply is followed here. */
  onSent: () => void
  /** Returns the text of a message that was sent while it was edited. */
  onGone: (text: string) => void
}

/** The messages that wait for the run, above the composer. */
export default function QueueList({ sessionId, isRunning, mayChange, onSent, onGone }: QueueListProps) {
  const { t } = useTranslation('streaming_blocks')
  const { items, heldBy, change, withdraw } = useQueue(sessionId, isRunning)
  useSent(items, isRunning, onSent)
  if (items.length === 0) return null
  const queue = items.filter(({ way }) => way !== 'steer')
  return (
    <section
      aria-label={t('queue.label')}
      className="mb-2 max-h-[34dvh] overflow-y-auto rounded-card border border-line bg-surface"
    >
      <p role="status" className="flex flex-wrap justify-between gap-x-3 px-3 pt-2.5 pb-1.5 text-12">
        <span className="font-medium text-ink-2">{t(heldBy ? `queue.held.${heldBy}` : 'queue.next')}</span>
        <span className="num text-ink-3 max-md:hidden">{t('queue.count', { count: items.length })}</span>
      </p>
      <ol>
        {items.map((item) => (
          <QueueRow
            key={item.id}
            item={item}
            number={queue.indexOf(item) + 1}
            {...{ isRunning, mayChange }}
            before={queue[queue.indexOf(item) - 1]?.id}
            beforeThat={queue[queue.indexOf(item) - 2]?.id ?? null}
            after={item.way === 'steer' ? undefined : queue[queue.indexOf(item) + 1]?.id}
            onChange={(body) => change(item.id, body)}
            onWithdraw={() => withdraw(item)}
            onGone={onGone}
          />
        ))}
      </ol>
    </section>
  )
}
