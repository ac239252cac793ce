import { useEffect, useState } from 'react'
import type { StepBlock } from '#shared/runs/runs/blocks.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'

/** The duration of a step, counting while it runs; nothing without timestamps. */
export function StepTime({ step, isRunning }: { step: StepBlock; isRunning: boolean }) {
  const { t } = useTranslation('streaming_blocks')
  const { started_at, duration_ms } = step
  const counts = isRunning && started_at !== undefined
  const now = useNow(counts)
  const ms = duration_ms ?? (counts ? Math.max(0, now - Date.parse(started_at)) : null)
  if (ms === null) return null
  const seconds = Math.max(counts ? 0 : 1, Math.round(ms / 1000))
  return (
    <span data-time className="num flex-none text-12 text-ink-3">
      {counts || seconds >= 60
        ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
        : t('step_seconds', { seconds })}
    </span>
  )
}

function useNow(isCounting: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isCounting) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isCounting])
  return now
}
