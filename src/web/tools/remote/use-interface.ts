import { useQuery } from '@tanstack/react-query'
import { openInterface } from '#shared/tool-interfaces/tool-interfaces.ts'
import { isApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { queryClient } from '../../lib/query-client.ts'

/** Whether the interface of a tool may be shown, and where. It is asked for once more by itself, then by a person. */
export function useInterface(toolId: string) {
  return useQuery(
    {
      queryKey: ['tool-interface', toolId],
      queryFn: ({ signal }) => call(openInterface, { params: { toolId }, signal }),
      retry: (failures, error) => failures < 1 && !isApiError(error, 404) && !isApiError(error, 422),
      retryDelay: 500,
      // Tickets last twelve hours.
      staleTime: 3_600_000,
    },
    queryClient,
  )
}
