import { useMutation, useQuery } from '@tanstack/react-query'
import {
  archiveProject,
  countContents,
  deleteProject,
  duplicateProject,
  restoreProject,
} from '#shared/chat/project-lifecycle/project-lifecycle.ts'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import { call, type Given } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { projectsKey, readProjectsAgain } from '../use-projects.ts'

const show = (project: ProjectDetails) =>
  queryClient.setQueryData([...projectsKey, 'one', project.id], project)

/** Archives a project, or restores it. */
export function useArchive(projectId: string) {
  return useMutation({
    mutationFn: (isArchived: boolean) =>
      call(isArchived ? archiveProject : restoreProject, { params: { projectId } }),
    onSuccess: show,
    onSettled: readProjectsAgain,
  })
}

/** The numbers of things that the deletion of a project affects. */
export function useContents(projectId: string) {
  return useQuery({
    queryKey: [...projectsKey, 'contents', projectId],
    queryFn: ({ signal }) => call(countContents, { params: { projectId }, signal }),
    staleTime: 0,
  })
}

export type Deletion = NonNullable<Given<typeof deleteProject>['body']>

export function useDeletion(projectId: string) {
  return useMutation({
    mutationFn: (body: Deletion) => call(deleteProject, { params: { projectId }, body }),
    onSettled: readProjectsAgain,
  })
}

export type Copy = NonNullable<Given<typeof duplicateProject>['body']>

export function useDuplicate(projectId: string) {
  return useMutation({
    mutationFn: (body: Copy) => call(duplicateProject, { params: { projectId }, body }),
    onSuccess: show,
    onSettled: readProjectsAgain,
  })
}
