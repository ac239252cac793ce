import { useEffect } from 'react'
import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { openPanel, useChatPanel } from '../../../platform/lib/chat-panel.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { useStart } from '../card/use-execution.ts'
import { factsOf } from '../look/tool-look.ts'
import { asInputs } from './inputs.ts'

/** Reruns a call as a standalone run. `onStarted` receives the new execution id. */
export function useRerun(block: ToolBlock, sessionId: string | null, onStarted: (id: string) => void) {
  const { t } = useTranslation('streaming_blocks')
  const { start, failure, fields, isStarting } = useStart(block.tool_id, onStarted)
  useEffect(() => {
    if (failure) void toast.error(errorText(t, failure))
  }, [failure, t])
  const own = asInputs(factsOf(block).input)
  return {
    /** Reruns with the given inputs, or with those of the block, which must then be complete. */
    rerun: (inputs?: Record<string, unknown>) => {
      if (inputs || !block.input_ref) void start(inputs ?? own ?? {}, sessionId)
    },
    isStarting,
    fields,
  }
}

export type Rerun = ReturnType<typeof useRerun>

/** Opens a rerun in the right sidebar, linked to its original call. */
export function openRerun(callId: string): (id: string) => void {
  return (id) => {
    const { subject, origin } = useChatPanel.getState()
    openPanel('artifact', id, { origin: subject === callId && origin ? origin : callId })
  }
}
