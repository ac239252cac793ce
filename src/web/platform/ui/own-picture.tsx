import { useQuery } from '@tanstack/react-query'
import { getPicture } from '#shared/identity/accounts/own-account.ts'
import { openRoute } from '../lib/api/call.ts'

/** The picture of the signed-in person over their initials; loaded once per picture. */
export default function OwnPicture({ id }: { id: string }) {
  const { data: src } = useQuery({
    queryKey: ['picture', id],
    queryFn: async ({ signal }) =>
      URL.createObjectURL(await (await openRoute(getPicture, { signal })).blob()),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return src && <img src={src} alt="" className="absolute inset-0 size-full object-cover" />
}
