import { useMutation, useQuery } from '@tanstack/react-query'
import * as contract from '#shared/identity/administration/groups.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'

const groupsKey = ['groups']

/** Returns a page of the groups the user administers. */
export function useGroups(page = 1) {
  return useQuery({
    queryKey: [...groupsKey, page],
    queryFn: ({ signal }) => call(contract.listGroups, { query: { page: String(page) }, signal }),
    placeholderData: (before) => before,
  })
}

export function useGroupMembers(groupId: string, page: number) {
  return useQuery({
    queryKey: [...groupsKey, groupId, 'people', page],
    queryFn: ({ signal }) =>
      call(contract.listGroupMembers, { params: { groupId }, query: { page: String(page) }, signal }),
    placeholderData: (before) => before,
  })
}

type Named = { id: string } | { company_id: string }

/** Renames a group; creates one in a company when there is no id. */
export function useNameGroup(onDone: () => void) {
  return useMutation({
    mutationFn: ({ name, ...of }: Named & { name: string }) =>
      'id' in of
        ? call(contract.renameGroup, { params: { groupId: of.id }, body: { name } })
        : call(contract.createGroup, { body: { company_id: of.company_id, name } }),
    onSuccess: async () => {
      onDone()
      await readGroupsAgain()
    },
  })
}

export function useDeleteGroup(onDone: () => void) {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: (groupId: string) => call(contract.deleteGroup, { params: { groupId } }),
    onSuccess: () => toast.success(t('administration.changed')),
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: async () => {
      onDone()
      await readGroupsAgain()
    },
  })
}

/** Adds a user to a group or removes them. */
export function useChangeMember(groupId: string) {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: ({ memberId, isIn }: { memberId: string; isIn: boolean }) =>
      call(isIn ? contract.addGroupMember : contract.removeGroupMember, { params: { groupId, memberId } }),
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: readGroupsAgain,
  })
}

const readGroupsAgain = () => queryClient.invalidateQueries({ queryKey: groupsKey })
