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

/** The MCP servers the person may use. */
export function useServers() {
  return useQuery({ queryKey: listKey, queryFn: ({ signal }) => call(listMcpServers, { signal }) })
}

/** Which servers the person may connect. */
export function useConnecting() {
  return useQuery({
    queryKey: ['mcp-connecting'],
    queryFn: ({ signal }) => call(getMcpConnecting, { signal }),
  })
}

/** One of them, with what it offers; what it says of itself changes while the page is open. */
export function useServer(toolSetId: string) {
  return useQuery({
    queryKey: keyOf(toolSetId),
    queryFn: ({ signal }) => call(getMcpServer, { params: { toolSetId }, signal }),
    refetchInterval: 15_000,
  })
}

/** Shows a server as an answer has just said it is; lists of tools are read anew. */
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
