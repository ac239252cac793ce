import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import { executeTool, getToolExecution, type ToolExecution } from '#shared/tools/tools/tools.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'

/** Poll interval while an execution runs. */
const POLL_MS = 400
/** Poll interval while it waits for a user, who may answer elsewhere. */
const WAIT_MS = 2_000

const keyOf = (id: string | null) => ['tool-execution', id]

/** Fetches an execution by id and polls it until it ends. */
export function useExecution(id: string | null) {
  const { data, error, isPending } = useQuery(
    {
      queryKey: keyOf(id),
      queryFn: ({ signal }) => call(getToolExecution, { params: { executionId: id ?? '' }, signal }),
      enabled: id !== null,
      refetchInterval: ({ state: { data, error } }) => {
        if (data?.finished_at || error) return false
        return data?.request ? WAIT_MS : POLL_MS
      },
      staleTime: Number.POSITIVE_INFINITY,
    },
    queryClient,
  )
  return { execution: data, error, isLoading: id !== null && isPending }
}

/** Refetches an execution after the user answered its input request. */
export function refreshExecution(id: string): void {
  void queryClient.invalidateQueries({ queryKey: keyOf(id) })
}

/** Starts a standalone run of a tool. `onStarted` receives the execution id. */
export function useStart(toolId: string, onStarted: (executionId: string) => void) {
  const [isStarting, setStarting] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  const start = async (inputs: Record<string, unknown>, sessionId: string | null = null) => {
    setFailure(null)
    setStarting(true)
    try {
      const body = { inputs, ...(sessionId && { session_id: sessionId }) }
      const { tool_execution_id } = await call(executeTool, { params: { toolId }, body })
      void queryClient.invalidateQueries({ queryKey: ['tool-executions', toolId] })
      // Do not navigate back a user who has left the page.
      if (isHere.current) onStarted(tool_execution_id)
    } catch (error) {
      setFailure(error)
    } finally {
      setStarting(false)
    }
  }
  return {
    start,
    isStarting,
    failure,
    /** Validation errors by input. */
    fields: isApiError(failure, 422) ? failure.fields : [],
    forget: () => setFailure(null),
  }
}

/** Converts an execution to a block for cards. An execution waiting for a user is shown as not running. */
export function toBlock(execution: ToolExecution, name = ''): ToolBlock {
  const { id, tool_id, input, result, error, events } = execution
  const status = execution.request ? 'pending' : execution.status
  return { type: 'tool', id, tool_id, tool_name: name, status, input, result, error, events }
}
