import { useQuery } from '@tanstack/react-query'
import { getEmbeddingCost, getEmbeddingModel } from '#shared/knowledge/embedding-model/embedding-model.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'

const KEY = 'embedding-model'
/** While another model is being built. */
const LOOK_EVERY_MS = 2_000

/** The embedding model of the library; looked at again and again while it is being changed. */
export function useEmbeddingModel() {
  return useQuery({
    queryKey: [KEY],
    queryFn: ({ signal }) => call(getEmbeddingModel, { signal }),
    refetchInterval: ({ state }) => (state.data?.building ? LOOK_EVERY_MS : false),
  })
}

/** What it takes to go over to a model; asked once it is named whole. */
export function useEmbeddingCost(model: string) {
  return useQuery({
    queryKey: [KEY, 'cost', model],
    queryFn: ({ signal }) => call(getEmbeddingCost, { query: { model }, signal }),
    enabled: isModelId(model),
  })
}

export const isModelId = (id: string) => /^[^/]+\/.+$/.test(id)

export const readAgain = () => queryClient.invalidateQueries({ queryKey: [KEY] })
