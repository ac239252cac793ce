import { useCallback, useEffect, useState } from 'react'
import { stopRun } from '#shared/runs/runs/runs.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { isComposing } from '../../../platform/lib/enter-key.ts'
import { isShortcut } from '../../../platform/lib/me/shortcuts.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'

/** Stops the reply and keeps its text; its shortcut works from anywhere in the chat. */
export function useStop(sessionId: string | null, isStreaming: boolean) {
  const { t } = useTranslation('streaming_blocks')
  const [isStopping, setStopping] = useState(false)
  const stop = useCallback(() => {
    if (!sessionId) return
    setStopping(true)
    call(stopRun, { params: { sessionId } }).catch((error) => {
      setStopping(false)
      toast.error(errorText(t, error))
    })
  }, [sessionId, t])
  useEffect(() => {
    if (!isStreaming) return setStopping(false)
    const onKey = (event: KeyboardEvent) => {
      const isElsewhere =
        event.target instanceof Element && event.target.closest('[role="dialog"], [role="menu"]')
      if (!isShortcut(event, 'stop') || event.defaultPrevented || isComposing(event) || isElsewhere) return
      // The key stops the run, and must not also close a panel.
      event.preventDefault()
      stop()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isStreaming, stop])
  return { isStopping, stop }
}
