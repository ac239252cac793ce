import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { openAddress } from './open-address.ts'

/** Returns a local address for a file that needs the person's token. A preview keeps the picture before it until the next has loaded. */
export function useMediaUrl(url: string | null, { isPreview = false } = {}) {
  return useQuery({
    queryKey: ['media', url],
    queryFn: async ({ signal }) => URL.createObjectURL(await (await openAddress(url ?? '', signal)).blob()),
    enabled: url !== null,
    retry: false,
    ...(isPreview ? { placeholderData: keepPreviousData } : {}),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}
