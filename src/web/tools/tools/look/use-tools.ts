import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ToolPolicy } from '#shared/tools/tools/policy.ts'
import { getTool, listTools, type Tool } from '#shared/tools/tools/tools.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { useToken } from '../../../platform/lib/me/token.ts'

const listKey = ['tools']
/** Tools change only when a user edits them, so a minute of staleness is fine. */
const staleTime = 60_000

/** Returns the tools of this installation. */
export function useTools() {
  const token = useToken()
  return useQuery({
    queryKey: listKey,
    queryFn: ({ signal }) => call(listTools, { signal }),
    enabled: token !== null,
    staleTime,
  })
}

/** The query of one tool. It starts from the list of tools, if that is loaded. */
export const toolQuery = (toolId: string) =>
  queryOptions({
    queryKey: ['tool', toolId],
    queryFn: ({ signal }) => call(getTool, { params: { toolId }, signal }),
    initialData: () => queryClient.getQueryData<Tool[]>(listKey)?.find(({ id }) => id === toolId),
    initialDataUpdatedAt: () => queryClient.getQueryState(listKey)?.dataUpdatedAt,
    staleTime,
    retry: (failures, error) => failures < 1 && !isApiError(error, 404),
  })

/** Returns one tool by id. Works without a surrounding query client, because cards are rendered in many places. */
export function useTool(toolId: string) {
  const token = useToken()
  return useQuery({ ...toolQuery(toolId), enabled: token !== null && toolId !== '' }, queryClient)
}

/** Stores a policy the user just set in the cache. */
export function notePolicy(toolId: string, policy: ToolPolicy): void {
  const change = (tool: Tool) => (tool.id === toolId ? { ...tool, policy } : tool)
  queryClient.setQueryData<Tool[]>(listKey, (tools) => tools?.map(change))
  queryClient.setQueryData<Tool>(['tool', toolId], (tool) => tool && change(tool))
}
