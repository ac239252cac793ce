import { useMutation, useQuery } from '@tanstack/react-query'
import {
  addMember,
  changeMember,
  leaveProject,
  listMembers,
  type ProjectMembers,
  removeMember,
} from '#shared/chat/projects/project-members.ts'
import type { ProjectRole } from '#shared/chat/projects/roles.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { projectsKey, readProjectsAgain } from '../use-projects.ts'

const keyOf = (workspaceId: string) => [...projectsKey, 'members', workspaceId]

/** The owner and the members of a project. */
export function useMembers(workspaceId: string) {
  return useQuery({
    queryKey: keyOf(workspaceId),
    queryFn: ({ signal }) => call(listMembers, { params: { workspaceId }, signal }),
  })
}

type NewMember = { recipient: { who: 'person' | 'group'; id: string }; role: ProjectRole }

/** Returns the mutations that add, change and remove members, and leave the project. */
export function useChangeMembers(workspaceId: string) {
  const show = (members: ProjectMembers) => queryClient.setQueryData(keyOf(workspaceId), members)
  const add = useMutation({
    mutationFn: (body: NewMember) => call(addMember, { params: { workspaceId }, body }),
    onSuccess: show,
    onSettled: readProjectsAgain,
  })
  const change = useMutation({
    mutationFn: ({ id, role }: { id: string; role: ProjectRole }) =>
      call(changeMember, { params: { workspaceId, projectMemberId: id }, body: { role } }),
    onSuccess: show,
    onSettled: readProjectsAgain,
  })
  const remove = useMutation({
    mutationFn: (id: string) => call(removeMember, { params: { workspaceId, projectMemberId: id } }),
    onSettled: readProjectsAgain,
  })
  const leave = useMutation({
    mutationFn: () => call(leaveProject, { params: { workspaceId } }),
    onSettled: readProjectsAgain,
  })
  return { add, change, remove, leave }
}
