import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ToolBlock } from '#shared/runs/blocks.ts'
import { executeTool, getToolExecution, type Tool, type ToolExecution } from '#shared/tools/tools.ts'
import { isApiError } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'

/** How often an execution is read while it goes on; what is shown is what the tool has said by then. */
const POLL_MS = 400

/** Executes a tool and follows it to its end. */
export function useExecution({ id: toolId, ui_name }: Tool) {
  const [executionId, setExecutionId] = useState<string | null>(null)
  const [isStarting, setStarting] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const { data, error } = useQuery({
    queryKey: ['tool-execution', executionId],
    queryFn: ({ signal }) => call(getToolExecution, { params: { executionId: executionId ?? '' }, signal }),
    enabled: executionId !== null,
    refetchInterval: ({ state }) => (state.data?.finished_at || state.error ? false : POLL_MS),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const execution = data?.id === executionId ? data : undefined
  const trouble = failure ?? error
  return {
    block: execution ? toBlock(execution, ui_name) : null,
    isRunning: isStarting || (executionId !== null && !execution?.finished_at && !error),
    failure: trouble,
    /** What is wrong with the inputs, by input. */
    fields: isApiError(trouble, 422) ? trouble.fields : [],
    run: async (inputs: Record<string, unknown>) => {
      setFailure(null)
      setStarting(true)
      try {
        const { tool_execution_id } = await call(executeTool, { params: { toolId }, body: { inputs } })
        setExecutionId(tool_execution_id)
      } catch (error) {
        setExecutionId(null)
        setFailure(error)
      } finally {
        setStarting(false)
      }
    },
    /** Other inputs: what came of the last ones says nothing about them. */
    forget: () => {
      setExecutionId(null)
      setFailure(null)
    },
  }
}

function toBlock(
  { id, tool_id, status, input, result, error, events }: ToolExecution,
  name: string,
): ToolBlock {
  return { type: 'tool', id, tool_id, tool_name: name, status, input, result, error, events }
}
