import { useQuery } from '@tanstack/react-query'
import { listInstalledModels } from '#shared/knowledge/installed-models/installed-models.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { availableModels } from '../../platform/lib/models/available-models.ts'

const KEY = 'installed-models'
/** Polling interval while a model is being installed. */
const POLL_INTERVAL_MS = 1_000

/** The model folders of this installation, polled during an installation. */
export function useInstalledModels() {
  return useQuery({
    queryKey: [KEY],
    queryFn: ({ signal }) => call(listInstalledModels, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.models.some((one) => one.state === 'installing') ? POLL_INTERVAL_MS : false,
  })
}

/** An installed or removed model changes the available choices too. */
export async function readModelsAgain(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: [KEY] }),
    queryClient.invalidateQueries({ queryKey: ['embedding-model'] }),
    queryClient.invalidateQueries({ queryKey: availableModels.queryKey }),
  ])
}
