import { useQuery } from '@tanstack/react-query'
import { getSession, type Session } from '#shared/chat/sessions/sessions.ts'
import type { Tool } from '#shared/tools/tools/tools.ts'
import { type Answer, callOrNotFound, type NotFound } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { useToken } from '../../platform/lib/me/token.ts'
import { useTools } from './look/use-tools.ts'

/** Returns the tools a session names, otherwise all tools. A missing session has all tools, too. */
export function useSessionTools(sessionId: string | null) {
  const token = useToken()
  const tools = useTools()
  const session = useQuery({
    queryKey: ['session-tools', sessionId],
    queryFn: async ({ signal }): Promise<Answer<typeof getSession> | NotFound> =>
      queryClient.getQueryData<Session>(['session', sessionId]) ??
      (await callOrNotFound(getSession, { params: { sessionId: sessionId ?? '' }, signal })),
    enabled: token !== null && sessionId !== null,
  })
  return {
    tools: tools.data && toolsOf(tools.data, session.data),
    isLoading: tools.isLoading || session.isLoading,
    /** The query that failed. */
    failed: tools.isError ? ('tools' as const) : session.isError ? ('session' as const) : null,
    retry: () => void Promise.all([tools.refetch(), session.refetch()]),
  }
}

/** Returns the tools a session names, in list order; all of them when it has no list. */
export function toolsOf(tools: readonly Tool[], session: Session | NotFound | undefined): Tool[] {
  const named = session && 'session_metadata' in session ? session.session_metadata.session_tools : undefined
  return named === undefined ? [...tools] : tools.filter(({ id }) => named.includes(id))
}
