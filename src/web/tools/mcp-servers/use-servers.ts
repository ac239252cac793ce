import { useQuery } from '@tanstack/react-query'
import {
  getMcpConnecting,
  getMcpServer,
  listMcpServers,
  type McpServer,
  refreshMcpServer,
} from '#shared/tools/own-tools/mcp-servers.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'

const listKey = ['mcp-servers']
const keyOf = (id: string) => ['mcp-server', id]

/** Returns the MCP servers available to the user. */
export function useServers() {
  return useQuery({ queryKey: listKey, queryFn: ({ signal }) => call(listMcpServers, { signal }) })
}

/** Returns which kinds of servers the user may connect. */
export function useConnecting() {
  return useQuery({
    queryKey: ['mcp-connecting'],
    queryFn: ({ signal }) => call(getMcpConnecting, { signal }),
  })
}

/** Returns one server with its tools, prompts and resources; refetched while the page is open. */
export function useServer(toolSetId: string) {
  return useQuery({
    queryKey: keyOf(toolSetId),
    queryFn: ({ signal }) => call(getMcpServer, { params: { toolSetId }, signal }),
    refetchInterval: 15_000,
  })
}

/** Stores a server from a response in the cache and refetches the tool lists. */
export function noteServer(server: McpServer): void {
  queryClient.setQueryData(keyOf(server.id), server)
  void queryClient.invalidateQueries({ queryKey: listKey })
  void queryClient.invalidateQueries({ queryKey: ['tools'] })
}

export const refreshServer = (toolSetId: string, reconnect: boolean) =>
  call(refreshMcpServer, {
    params: { toolSetId },
    query: reconnect ? { reconnect: 'true' } : {},
  }).then(noteServer)

export function forgetServer(): void {
  void queryClient.invalidateQueries({ queryKey: listKey })
  void queryClient.invalidateQueries({ queryKey: ['tools'] })
}
