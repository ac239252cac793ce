import { RotateCcw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Skeleton } from '../../../platform/ui/states/skeleton.tsx'
import { PhaseTrack } from './phase-track.tsx'
import { refreshExecution } from './use-execution.ts'
import { useWhole } from './use-whole.ts'

/** Maximum result size in bytes that a tool's own card loads automatically. Larger results load on request. */
const READ_BY_ITSELF = 64_000

type LargeBodyProps = {
  /** A call that the message holds only in part. */
  block: ToolBlock
  /** Whether the tool has its own card, which shows more than raw data. */
  hasCard: boolean
  /** Whether the user opened this call. */
  isOpened: boolean
  draw: (whole: ToolBlock) => ReactNode
}

/** A call too large for its message: a preview, and the whole on request. */
export function LargeBody({ block, hasCard, isOpened, draw }: LargeBodyProps) {
  const { t } = useTranslation('streaming_blocks')
  const bytes = block.result_ref?.bytes ?? 0
  const [isAsked, setAsked] = useState(isOpened || (hasCard && bytes <= READ_BY_ITSELF))
  const { whole, error } = useWhole(block, isAsked)
  if (whole) return draw(whole)
  if (error)
    return (
      <Callout
        tone="danger"
        title={t('tool.whole_failed')}
        action={
          <Button
            size="sm"
            icon={<RotateCcw aria-hidden className="icon-14" />}
            onClick={() => refreshExecution(block.id)}
          >
            {t('common:actions.retry')}
          </Button>
        }
      >
        {errorText(t, error)}
      </Callout>
    )
  return (
    <div className="grid justify-items-start gap-2">
      <PhaseTrack events={block.events} isRunning={false} />
      {block.result_ref && (
        <p className="line-clamp-3 font-mono text-12 leading-[18px] wrap-anywhere text-ink-2">
          {block.result_ref.preview}…
        </p>
      )}
      {isAsked ? (
        <div role="status">
          <span className="sr-only">{t('tool.whole_loading')}</span>
          <Skeleton className="h-5 w-44" />
        </div>
      ) : (
        <Button variant="link" size="sm" onClick={() => setAsked(true)}>
          {t('tool.whole', { size: sizeOf(bytes) })}
        </Button>
      )}
    </div>
  )
}

function sizeOf(bytes: number): string {
  const [unit, value] = bytes >= 1_000_000 ? ['megabyte', bytes / 1e6] : ['kilobyte', bytes / 1e3]
  return formatNumber(value, { style: 'unit', unit, maximumFractionDigits: value < 10 ? 1 : 0 })
}
