import { useMutation, useQuery } from '@tanstack/react-query'
import { listUnmanagedProjects, nameManager } from '#shared/chat/project-lifecycle/project-lifecycle.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'

const unmanagedKey = ['unmanaged-projects']

/** Returns a page of the projects without a manager. The previous page stays visible while the next one loads. */
export function useUnmanagedProjects(page: number) {
  return useQuery({
    queryKey: [...unmanagedKey, page],
    queryFn: ({ signal }) => call(listUnmanagedProjects, { query: { page: String(page) }, signal }),
    placeholderData: (before) => before,
  })
}

/** Makes a person the manager of a project. */
export function useNaming(unmanagedProjectId: string, onDone: () => void) {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: (user_id: string) => call(nameManager, { params: { unmanagedProjectId }, body: { user_id } }),
    onSuccess: () => {
      toast.success(t('unmanaged.done'))
      onDone()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: unmanagedKey }),
  })
}
