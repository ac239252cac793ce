import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type PaletteItem, type PaletteKind, searchPalette } from '#shared/chat/palette/palette.ts'
import { call } from '../../../platform/lib/api/call.ts'

export type Found = {
  /** The words that the items belong to. */
  typed: string
  items: PaletteItem[]
}

/** Time after which the entries of the browser no longer wait for the server. */
const LATE_MS = 300

/**
 * Returns the server's results for the typed words. Until the answer comes, the items of the words before are returned; after a failure, and when it is late, none. `kinds` null
 * asks nothing.
 */
export function useFound(
  typed: string,
  kinds: readonly PaletteKind[] | null,
  workspaceId: string | null,
): { found: Found | null; hasFailed: boolean } {
  const { data, isError } = useQuery({
    queryKey: ['palette', typed, kinds, workspaceId],
    queryFn: async ({ signal }): Promise<Found> => {
      const query = {
        ...(typed ? { q: typed } : {}),
        ...(kinds ? { kinds: kinds.join(',') } : {}),
        ...(workspaceId ? { workspace_id: workspaceId } : {}),
      }
      const { items } = await call(searchPalette, { query, signal })
      return { typed, items }
    },
    enabled: kinds !== null,
    placeholderData: keepPreviousData,
    // Chats and documents change all the time, and every word asks.
    gcTime: 0,
    retry: false,
  })
  const lateFor = useLate(typed)
  if (kinds === null) return { found: { typed, items: [] }, hasFailed: false }
  const isLate = lateFor === typed && data?.typed !== typed
  return { found: isError || isLate ? { typed, items: [] } : (data ?? null), hasFailed: isError }
}

/** Returns the words that were typed some time ago, while no others are typed. */
function useLate(typed: string): string | null {
  const [lateFor, setLateFor] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setLateFor(typed), LATE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return lateFor
}
