import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import { executeTool, getToolExecution, type ToolExecution } from '#shared/tools/tools/tools.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'

/** How often an execution is read while it goes on; what is shown is what the tool has said by then. */
const POLL_MS = 400
/** The same while it waits for a person, who may answer elsewhere. */
const WAIT_MS = 2_000

const keyOf = (id: string | null) => ['tool-execution', id]

/** One execution by its id, followed to its end. */
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

/** Reads an execution again: a person has just answered what it asked. */
export function refreshExecution(id: string): void {
  void queryClient.invalidateQueries({ queryKey: keyOf(id) })
}

/** Executes a tool beside the chats; `onStarted` is told the execution's id. */
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
      // A person who went somewhere else meanwhile is not brought back.
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
    /** What is wrong with the inputs, by input. */
    fields: isApiError(failure, 422) ? failure.fields : [],
    forget: () => setFailure(null),
  }
}

/** An execution as cards draw it; one that waits for a person does not work meanwhile. */
export function toBlock(execution: ToolExecution, name = ''): ToolBlock {
  const { id, tool_id, input, result, error, events } = execution
  const status = execution.request ? 'pending' : execution.status
  return { type: 'tool', id, tool_id, tool_name: name, status, input, result, error, events }
}
