import { CornerDownRight } from 'lucide-react'
import type { SteeringBlock as Block } from '#shared/runs/runs/blocks.ts'
import { formatTime } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'

/** A message that the person added while the reply was written, where the run read it. */
export default function SteeringBlock({ block }: { block: Block }) {
  const { t } = useTranslation('streaming_blocks')
  const sent = formatTime(block.sent_at)
  return (
    <div className="my-2 flex gap-2.5 rounded-r-control border-l-2 border-accent bg-accent-soft px-3 py-2 text-13">
      <CornerDownRight aria-hidden className="icon-14 mt-0.5 flex-none text-accent" />
      <div className="min-w-0">
        <p dir="auto" className="whitespace-pre-wrap break-words">
          {block.text}
        </p>
        <p className="num text-12 text-ink-2">
          {t('queue.steered', { sent, read: formatTime(block.read_at) })}
        </p>
      </div>
    </div>
  )
}
