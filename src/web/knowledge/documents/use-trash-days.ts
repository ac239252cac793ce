import { useQuery } from '@tanstack/react-query'
import { listTrash } from '#shared/chat/trash/trash.ts'
import { call } from '../../platform/lib/api/call.ts'

/** Returns how many days deleted documents can be restored; undefined until it is known. */
export function useTrashDays(): number | undefined {
  const { data } = useQuery({
    queryKey: ['trash-days'],
    queryFn: async ({ signal }) => (await call(listTrash, { query: { limit: '1' }, signal })).days,
    staleTime: 300_000,
  })
  return data
}
