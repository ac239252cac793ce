import { useQuery } from '@tanstack/react-query'
import { listProjects } from '#shared/chat/projects/projects.ts'
import { call } from '../../platform/lib/api/call.ts'

/** The projects that a person may add facts to. */
export function useProjectChoices(): { id: string; name: string }[] {
  const { data } = useQuery({
    queryKey: ['projects', 'for-facts'],
    queryFn: ({ signal }) => call(listProjects, { signal }),
    staleTime: 30_000,
  })
  return (data?.items ?? []).filter(({ role }) => role !== 'reader')
}
