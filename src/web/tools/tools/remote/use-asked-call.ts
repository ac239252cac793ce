import { useEffect, useRef, useState } from 'react'
import {
  type InterfaceMessage,
  MAX_CALL_INPUT,
  MAX_CALLS_PER_MINUTE,
} from '#shared/tools/tool-interfaces/messages.ts'
import { executeTool } from '#shared/tools/tools/tools.ts'
import { ApiError } from '../../../platform/lib/api/api-error.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { useExecution } from '../card/use-execution.ts'
import { createTurnstile } from './gate.ts'

type Asked = InterfaceMessage & { type: 'call' }
/** Outcome of a call. Exactly one of `result` and `error` is null. */
export type Answer = { id: string; result: unknown; error: string | null }

/**
 * Runs tool calls requested by an interface: one at a time, rate-limited, under the permission of the called tool.
 * `execution` is the current one, with its pending input request.
 */
export function useAskedCall(toolId: string, sessionId: string | null, onAnswer: (answer: Answer) => void) {
  const [open, setOpen] = useState<{ asked: Asked; executionId: string | null } | null>(null)
  const isBusy = useRef(false)
  const mayPass = useRef(createTurnstile(MAX_CALLS_PER_MINUTE))
  const { execution, error: unreadable } = useExecution(open?.executionId ?? null)
  const settle = (answer: Answer) => {
    isBusy.current = false
    setOpen(null)
    onAnswer(answer)
  }
  const ask = async (asked: Asked) => {
    const refuse = (error: string) => onAnswer({ id: asked.id, result: null, error })
    if (isBusy.current) return refuse('One call at a time: wait for the answer of the one before.')
    if (!mayPass.current(performance.now())) return refuse('Too many calls: wait a minute.')
    if (JSON.stringify(asked.input).length > MAX_CALL_INPUT) return refuse('The input is too long.')
    isBusy.current = true
    setOpen({ asked, executionId: null })
    try {
      const { tool_execution_id } = await call(executeTool, {
        params: { toolId: asked.tool ?? toolId },
        body: {
          ...{ inputs: asked.input, interface_of: toolId },
          ...(sessionId !== null && { session_id: sessionId }),
        },
      })
      setOpen({ asked, executionId: tool_execution_id })
    } catch (error) {
      settle({ id: asked.id, result: null, error: error instanceof ApiError ? error.message : 'It failed.' })
    }
  }
  const latest = useRef(settle)
  latest.current = settle
  const isOver = execution?.finished_at != null
  useEffect(() => {
    if (open?.executionId && (isOver || unreadable))
      latest.current({
        id: open.asked.id,
        result: execution?.result ?? null,
        error: execution ? execution.error : 'What came of it cannot be read.',
      })
  }, [open, isOver, unreadable, execution])
  return { ask, execution: open?.executionId ? execution : undefined }
}
