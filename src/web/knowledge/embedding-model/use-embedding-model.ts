import { useQuery } from '@tanstack/react-query'
import { getEmbeddingCost, getEmbeddingModel } from '#shared/knowledge/embedding-model/embedding-model.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'

const KEY = 'embedding-model'
/** Polling interval while another model is being built. */
const POLL_INTERVAL_MS = 2_000

/** The embedding model of the library, polled during a change. */
export function useEmbeddingModel() {
  return useQuery({
    queryKey: [KEY],
    queryFn: ({ signal }) => call(getEmbeddingModel, { signal }),
    refetchInterval: ({ state }) => (state.data?.building ? POLL_INTERVAL_MS : false),
  })
}

/** The cost of changing to a model, requested once its name is complete. */
export function useEmbeddingCost(model: string) {
  return useQuery({
    queryKey: [KEY, 'cost', model],
    queryFn: ({ signal }) => call(getEmbeddingCost, { query: { model }, signal }),
    enabled: isModelId(model),
  })
}

export const isModelId = (id: string) => /^[^/]+\/.+$/.test(id)

export const readAgain = () => queryClient.invalidateQueries({ queryKey: [KEY] })
