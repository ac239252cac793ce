import type { TFunction } from 'i18next'
import { Milestone } from 'lucide-react'
import { useTranslation } from '../i18n/i18n.ts'

/** A place of the run that can be returned to. */
export function CheckpointDivider({ name }: { name: string }) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <div className="my-1.5 flex h-5 items-center gap-2 text-12 text-ink-3">
      <span aria-hidden className="h-px w-3 bg-line" />
      <Milestone aria-hidden className="icon-12" />
      <span>{checkpointLabel(t, name)}</span>
      <span aria-hidden className="h-px flex-1 bg-line" />
    </div>
  )
}

/** A checkpoint's name in words: of steps, of waiting, else as it is. */
export function checkpointLabel(t: TFunction, name: string): string {
  const waiting = /^(?:.*\.)?waiting_for_input(?:_after_step(\d+))?(_with_input)?$/.exec(name)
  if (waiting)
    return t(waiting[2] ? 'streaming_blocks:checkpoint.answered' : 'streaming_blocks:checkpoint.waiting')
  const after = /^(?:.*\.)?after_step(\d+)$/.exec(name)
  if (after) return t('streaming_blocks:checkpoint.after', { number: after[1] })
  const before = /^(?:.*\.)?step(\d+)$/.exec(name)
  if (before) return t('streaming_blocks:checkpoint.before', { number: before[1] })
  return name.replaceAll('_', ' ')
}
