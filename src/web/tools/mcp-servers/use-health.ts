import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { getServerHealth } from '#shared/tools/own-tools/mcp-health.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { refreshServer } from './use-servers.ts'

const ASK_MS = 60_000
const keyOf = (toolSetId: string) => ['mcp-health', toolSetId]

/** Polls the health of a server while its page is open. */
export function useHealth(toolSetId: string) {
  return useQuery({
    queryKey: keyOf(toolSetId),
    queryFn: ({ signal }) => call(getServerHealth, { params: { toolSetId }, signal }),
    refetchInterval: 15_000,
  })
}

/**
 * Queries a server each minute while its page is visible, and immediately if it has never been queried (`isNew`).
 * Errors are read with its health.
 */
export function useAsking(toolSetId: string, { isAsked, isNew }: { isAsked: boolean; isNew: boolean }): void {
  useEffect(() => {
    if (isAsked && isNew) void askServer(toolSetId).catch(() => undefined)
  }, [toolSetId, isAsked, isNew])
  useEffect(() => {
    if (!isAsked) return
    const ask = () => {
      if (document.visibilityState === 'visible') void askServer(toolSetId).catch(() => undefined)
    }
    const timer = setInterval(ask, ASK_MS)
    return () => clearInterval(timer)
  }, [toolSetId, isAsked])
}

/** Queries a server for its tools, prompts and resources, optionally over a new connection. Refetches its health. */
export async function askServer(toolSetId: string, reconnect = false): Promise<void> {
  await refreshServer(toolSetId, reconnect).finally(() =>
    queryClient.invalidateQueries({ queryKey: keyOf(toolSetId) }),
  )
}
