import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { openAddress } from '../lib/open-address.ts'

type AssetImageProps = { src: string; alt: string; onFailed: () => void; onLoaded: (src: string) => void }

/** An image made by a tool. It is fetched with the person's token, which an `img` cannot send. */
export default function AssetImage({ src, alt, onFailed, onLoaded }: AssetImageProps) {
  const { data, isError } = useQuery({
    queryKey: ['media', src],
    queryFn: async ({ signal }) => URL.createObjectURL(await (await openAddress(src, signal)).blob()),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the outcome is reported once.
  useEffect(() => {
    if (isError) onFailed()
    if (data) onLoaded(data)
  }, [data, isError])
  return data ? <img src={data} alt={alt} decoding="async" onError={onFailed} /> : alt
}
