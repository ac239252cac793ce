import { useEffect } from 'react'
import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { openPanel, useChatPanel } from '../../../platform/lib/chat-panel.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { useStart } from '../card/use-execution.ts'
import { factsOf } from '../look/tool-look.ts'
import { asInputs } from './inputs.ts'

/** Executes a call once more, beside its chat; `onStarted` is told the new execution's id. */
export function useRerun(block: ToolBlock, sessionId: string | null, onStarted: (id: string) => void) {
  const { t } = useTranslation('streaming_blocks')
  const { start, failure, fields, isStarting } = useStart(block.tool_id, onStarted)
  useEffect(() => {
    if (failure) void toast.error(errorText(t, failure), { id: `rerun-${block.id}` })
  }, [failure, block.id, t])
  const own = asInputs(factsOf(block).input)
  return {
    /** With its own inputs, unless others are given; of those it must hold the whole. */
    rerun: (inputs?: Record<string, unknown>) => {
      if (inputs || !block.input_ref) void start(inputs ?? own ?? {}, sessionId)
    },
    isStarting,
    fields,
  }
}

export type Rerun = ReturnType<typeof useRerun>

/** Shows what was executed again in the right sidebar of the chat; it still comes from the call in the chat. */
export function openRerun(callId: string): (id: string) => void {
  return (id) => {
    const { subject, origin } = useChatPanel.getState()
    openPanel('artifact', id, { origin: subject === callId && origin ? origin : callId })
  }
}
