import { useQuery } from '@tanstack/react-query'
import { openInterface } from '#shared/tools/tool-interfaces/tool-interfaces.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'

/** Returns whether and where a tool's interface may be shown. Retries once automatically, then on request. */
export function useInterface(toolId: string) {
  return useQuery(
    {
      queryKey: ['tool-interface', toolId],
      queryFn: ({ signal }) => call(openInterface, { params: { toolId }, signal }),
      retry: (failures, error) => failures < 1 && !isApiError(error, 404) && !isApiError(error, 422),
      retryDelay: 500,
      // Tickets are valid for twelve hours.
      staleTime: 3_600_000,
    },
    queryClient,
  )
}
