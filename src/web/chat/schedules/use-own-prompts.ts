import { useQuery } from '@tanstack/react-query'
import { listPrompts } from '#shared/chat/prompts/prompts.ts'
import { call } from '../../platform/lib/api/call.ts'

const MOST = 20

/** The first prompts that a person may use, own ones first. */
export function useOwnPrompts() {
  const { data } = useQuery({
    queryKey: ['prompts', 'for-schedules'],
    queryFn: ({ signal }) => call(listPrompts, { query: { limit: MOST }, signal }),
    staleTime: 60_000,
  })
  return data?.items ?? []
}
