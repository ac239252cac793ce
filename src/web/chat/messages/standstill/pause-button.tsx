import { Pause } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { useMessages } from '../chat/message-store.ts'

/** Pauses the active reply at its next checkpoint; next to the stop button. */
export function PauseButton() {
  const { t } = useTranslation('streaming_blocks')
  const streamingId = useMessages((state) => (state.isStreaming ? state.streamingId : null))
  const [isAsked, setAsked] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: resets for every run.
  useEffect(() => setAsked(false), [streamingId === null])
  if (streamingId === null) return null
  const pause = async () => {
    if (isAsked) return
    setAsked(true)
    const { pauseTask } = await import('./task-actions.ts')
    if (!(await pauseTask(t))) setAsked(false)
  }
  return (
    <IconButton
      name={t(isAsked ? 'pause.pausing' : 'pause.pause')}
      aria-disabled={isAsked || undefined}
      className={isAsked ? 'text-ink-3' : undefined}
      onClick={() => void pause()}
    >
      <Pause aria-hidden className="icon" />
    </IconButton>
  )
}
