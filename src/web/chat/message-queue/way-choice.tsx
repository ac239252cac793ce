import clsx from 'clsx'
import { CornerDownRight, ListEnd, OctagonPause } from 'lucide-react'
import type { QueueWay } from '#shared/chat/message-queue/message-queue.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useSendWay } from './send-way.ts'

const ways = [
  ['queue', ListEnd],
  ['steer', CornerDownRight],
  ['interrupt', OctagonPause],
] as const satisfies readonly (readonly [QueueWay, typeof ListEnd])[]

/** Chooses what the message does to the run: wait for its end, steer it, or interrupt it. */
export default function WayChoice() {
  const { t } = useTranslation('streaming_blocks')
  const chosen = useSendWay(({ way }) => way)
  return (
    <fieldset
      aria-label={t('queue.way')}
      className="mb-2 flex rounded-control bg-surface-2 p-0.5 md:ml-1 md:inline-flex"
    >
      {ways.map(([way, Icon]) => (
        <label
          key={way}
          data-tip={t(`queue.ways.${way}.text`)}
          className={clsx(
            'flex h-7 cursor-pointer items-center justify-center gap-1.5 rounded-[5px] px-2.5 text-12 font-medium hover-motion has-focus-visible:outline-2 has-focus-visible:outline-focus max-md:h-10 max-md:flex-1 max-md:px-1',
            chosen === way ? 'bg-raised text-ink ring-1 ring-line-2' : 'text-ink-2 hover:text-ink',
          )}
        >
          <input
            type="radio"
            name="send-way"
            value={way}
            checked={chosen === way}
            onChange={() => useSendWay.setState({ way })}
            className="sr-only"
          />
          <Icon aria-hidden className="icon-14 flex-none" />
          {t(`queue.ways.${way}.name`)}
        </label>
      ))}
    </fieldset>
  )
}
