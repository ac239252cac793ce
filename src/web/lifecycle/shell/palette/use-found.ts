import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type PaletteItem, type PaletteKind, searchPalette } from '#shared/chat/palette/palette.ts'
import { call } from '../../../platform/lib/api/call.ts'

export type Found = {
  /** The words that the items belong to. */
  typed: string
  items: PaletteItem[]
}

/**
 * What the server finds for the typed words. Until the answer comes, the items of the words before are returned; after a failure none. `kinds` null
 * asks nothing.
 */
export function useFound(
  typed: string,
  kinds: readonly PaletteKind[] | null,
): { found: Found | null; hasFailed: boolean } {
  const { data, isError } = useQuery({
    queryKey: ['palette', typed, kinds],
    queryFn: async ({ signal }): Promise<Found> => {
      const query = { ...(typed ? { q: typed } : {}), ...(kinds ? { kinds: kinds.join(',') } : {}) }
      const { items } = await call(searchPalette, { query, signal })
      return { typed, items }
    },
    enabled: kinds !== null,
    placeholderData: keepPreviousData,
    // Chats and documents change all the time, and every word asks.
    gcTime: 0,
    retry: false,
  })
  if (kinds === null) return { found: { typed, items: [] }, hasFailed: false }
  return { found: isError ? { typed, items: [] } : (data ?? null), hasFailed: isError }
}
