import { useMutation, useQuery } from '@tanstack/react-query'
import { createConnection } from '#shared/models/connections/connections.ts'
import { type LocalServer, listLocalServers } from '#shared/models/connections/local-servers.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { refetchConnections } from './use-connections.ts'

const key = ['local-model-servers']

/** Model servers detected on the server's machine, with an action that connects one. */
export function useLocalServers({ enabled = true } = {}) {
  const { t } = useTranslation('admin')
  const found = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(listLocalServers, { signal }),
    enabled,
    staleTime: 10_000,
  })
  const connecting = useMutation({
    mutationFn: ({ name, kind, base_url }: LocalServer) =>
      call(createConnection, { body: { name, kind, base_url } }),
    onSuccess: (_, { name }) => toast.success(t('models.local.connected', { name })),
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: () => Promise.all([queryClient.invalidateQueries({ queryKey: key }), refetchConnections()]),
  })
  return {
    servers: found.data ?? [],
    /** Whether the search has ended, with or without servers. */
    isSearched: found.isFetched,
    connect: connecting.mutate,
    connectingTo: connecting.isPending ? connecting.variables.base_url : null,
  }
}
