import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getVectorDbStatus, listCollections, listObjects } from '#shared/knowledge/vector-db/vector-db.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'

const KEY = 'vector-db'

export function useCollections() {
  return useQuery({
    queryKey: [KEY, 'collections'],
    queryFn: ({ signal }) => call(listCollections, { signal }),
  })
}

export function useStatus() {
  return useQuery({
    queryKey: [KEY, 'status'],
    queryFn: ({ signal }) => call(getVectorDbStatus, { signal }),
  })
}

/** Objects of a collection, in pages by cursor. */
export function useObjects(collection_name: string, limit: number, include_all_vectors: boolean) {
  return useInfiniteQuery({
    queryKey: [KEY, 'objects', collection_name, limit, include_all_vectors],
    queryFn: ({ pageParam: after, signal }) =>
      call(listObjects, { body: { collection_name, limit, after, include_all_vectors }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

/** Refetches everything of the vector database. */
export const readAgain = () => queryClient.invalidateQueries({ queryKey: [KEY] })
