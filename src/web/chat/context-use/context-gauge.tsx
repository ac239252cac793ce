import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { getContextUse } from '#shared/chat/context-use/context-use.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { refetchChanged } from '../../platform/lib/api/query-client.ts'
import { useIsOpen } from '../../platform/lib/me/me.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Popover } from '../../platform/ui/overlays/popover.tsx'
import { ContextParts } from './context-parts.tsx'

type ContextGaugeProps = {
  sessionId: string
  isStreaming: boolean
  /** Shows a new summary in the chat. */
  onSummary: (messageId: string, text: string) => void
}

/** Radius and circumference of the ring, in its own units. */
const RADIUS = 6
const AROUND = 2 * Math.PI * RADIUS

/** How full the window of the model was in the last prompt; it opens what filled it. */
export default function ContextGauge({ sessionId, isStreaming, onSummary }: ContextGaugeProps) {
  const { t } = useTranslation('streaming_blocks')
  const key = ['context-use', sessionId]
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(getContextUse, { params: { sessionId }, signal }),
    retry: false,
  })
  useEffect(() => {
    if (!isStreaming) refetchChanged(['context-use', sessionId])
  }, [isStreaming, sessionId])
  const isShown = useIsOpen('context_gauge')
  if (!isShown || !data?.use) return null
  const { use } = data
  const share = Math.min(1, use.total / use.window)
  const percent = formatNumber(share, { style: 'percent', maximumFractionDigits: 0 })
  return (
    <Popover
      side="top"
      align="end"
      name={t('context.title')}
      trigger={
        <Button variant="ghost" className="num !px-2" aria-label={t('context.button', { percent })}>
          <svg viewBox="0 0 16 16" aria-hidden className="icon -rotate-90">
            <circle cx="8" cy="8" r={RADIUS} fill="none" strokeWidth="2.5" className="stroke-surface-3" />
            <circle
              cx="8"
              cy="8"
              r={RADIUS}
              fill="none"
              strokeWidth="2.5"
              strokeDasharray={`${AROUND * share} ${AROUND}`}
              className={share > 0.9 ? 'stroke-warning' : 'stroke-accent'}
            />
          </svg>
          <span className="max-md:hidden">{percent}</span>
        </Button>
      }
    >
      <ContextParts {...{ sessionId, data, percent, isStreaming, onSummary }} use={use} />
    </Popover>
  )
}
