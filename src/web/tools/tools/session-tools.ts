import { useQuery } from '@tanstack/react-query'
import { getSessionTools, offerSessionTool } from '#shared/chat/sessions/sessions.ts'
import type { Tool } from '#shared/tools/tools/tools.ts'
import { type Answer, call, callOrNotFound, type NotFound } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { useToken } from '../../platform/lib/me/token.ts'
import { selectedTool, selectTool } from '../../platform/lib/selected-tools.ts'
import { useTools } from './look/use-tools.ts'

type Offered = Answer<typeof getSessionTools>
const keyOf = (sessionId: string | null) => ['session-tools', sessionId]

/** Returns all tools, and those the session offers to its model. A missing session offers all. */
export function useSessionTools(sessionId: string | null) {
  const tools = useTools()
  const offered = useOffered(sessionId)
  return {
    tools: tools.data,
    offered: tools.data && offeredOf(tools.data, offered.data),
    isLoading: tools.isLoading || offered.isLoading,
    /** The query that failed. */
    failed: tools.isError ? ('tools' as const) : offered.isError ? ('session' as const) : null,
    retry: () => void Promise.all([tools.refetch(), offered.refetch()]),
  }
}

/** Returns whether the session offers a tool; undefined until it is known. */
export function useIsOffered(sessionId: string | null, tool: Tool): boolean | undefined {
  const { data } = useOffered(sessionId)
  return data && offeredOf([tool], data).length > 0
}

function useOffered(sessionId: string | null) {
  const token = useToken()
  return useQuery({
    queryKey: keyOf(sessionId),
    queryFn: ({ signal }) =>
      callOrNotFound(getSessionTools, { params: { sessionId: sessionId ?? '' }, signal }),
    enabled: token !== null && sessionId !== null,
  })
}

/** Returns the tools a session offers, in list order; all of them for a missing session. */
export function offeredOf(tools: readonly Tool[], offered: Offered | NotFound | undefined): Tool[] {
  if (!offered || !('tool_ids' in offered)) return [...tools]
  return tools.filter(({ id }) => offered.tool_ids.includes(id))
}

/** Offers a tool to the model of a session, or withholds it; a withheld one is no longer selected. @throws ApiError */
export async function offerTool(sessionId: string, tool_id: string, is_offered: boolean): Promise<void> {
  const key = keyOf(sessionId)
  const before = queryClient.getQueryData<Offered>(key)
  queryClient.setQueryData<Offered>(key, (known) => known && withTool(known, tool_id, is_offered))
  if (!is_offered && selectedTool(sessionId) === tool_id) selectTool(sessionId, null)
  try {
    const now = await call(offerSessionTool, { params: { sessionId }, body: { tool_id, is_offered } })
    queryClient.setQueryData(key, now)
  } catch (error) {
    queryClient.setQueryData(key, before)
    throw error
  }
}

function withTool({ tool_ids }: Offered, id: string, isOffered: boolean): Offered {
  const others = tool_ids.filter((one) => one !== id)
  return { tool_ids: isOffered ? [...others, id] : others }
}
