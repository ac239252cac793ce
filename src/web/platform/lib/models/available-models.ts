import { listAvailableModels } from '#shared/models/connections/connections.ts'
import { call } from '../api/call.ts'

/** The models a person may choose from, shared by all views. */
export const availableModels = {
  queryKey: ['available-models'],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(listAvailableModels, { signal }),
  staleTime: 60_000,
}
