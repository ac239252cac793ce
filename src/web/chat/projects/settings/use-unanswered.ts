import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { decideUnanswered, listUnanswered, type UnansweredState } from '#shared/chat/projects/unanswered.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { projectsKey } from '../use-projects.ts'

/** Returns the groups of unanswered questions of a project, and how to decide on one. */
export function useUnanswered(workspaceId: string) {
  const { t } = useTranslation('projects')
  const client = useQueryClient()
  const queryKey = [...projectsKey, 'unanswered', workspaceId]
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(listUnanswered, { params: { workspaceId }, signal }),
  })
  const { mutate, isPending } = useMutation({
    mutationFn: ({ id: unansweredId, state }: { id: string; state: UnansweredState }) =>
      call(decideUnanswered, { params: { workspaceId, unansweredId }, body: { state } }),
    onError: (error) => void toast.error(errorText(t, error)),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  return { ...query, decide: mutate, isDeciding: isPending }
}
