import { useMutation, useQuery } from '@tanstack/react-query'
import { listGroups } from '#shared/identity/administration/groups.ts'
import * as contract from '#shared/identity/grants/grants.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { useSettled } from '../../../platform/lib/api/use-settled.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'

const grantsKey = ['grants']

export type Wanted = { kind: contract.ThingKind; typed: string; page: number }

/** Returns a page of things of one kind with their grants. */
export function useGrantedThings({ kind, typed, page }: Wanted) {
  const q = useSettled(typed.trim())
  const query = { kind, page: String(page), ...(q ? { q } : {}) }
  return useQuery({
    queryKey: [...grantsKey, query],
    queryFn: ({ signal }) => call(contract.listGrantedThings, { query, signal }),
    placeholderData: (before, earlier) => (earlier?.queryKey[1] === kind ? before : undefined),
  })
}

/** Returns the decisions for one user and kind, with reasons. */
export function usePersonalDecisions(userId: string, kind: contract.ThingKind, typed: string) {
  const q = useSettled(typed.trim())
  const query = { kind, ...(q ? { q } : {}) }
  return useQuery({
    queryKey: [...grantsKey, 'person', userId, query],
    queryFn: ({ signal }) => call(contract.explainGrants, { params: { userId }, query, signal }),
  })
}

/** Searches groups by their own or their company's name. */
export function useGroupsNamed(typed: string) {
  const q = useSettled(typed.trim())
  return useQuery({
    queryKey: ['groups', 'named', q],
    queryFn: ({ signal }) => call(listGroups, { query: q ? { q } : {}, signal }),
    placeholderData: (before) => before,
  })
}

export type Decided = {
  thing: Pick<contract.GrantedThing, 'kind' | 'id'>
  decided_by: string | null
  allow: contract.Who[]
  refuse: contract.Who[]
}

/** Saves the grants of a thing. */
export function useDecide(onDone: () => void) {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: ({ thing: { kind, id }, ...said }: Decided) =>
      call(contract.setGrants, { body: { kind, id, ...said } }),
    onSuccess: async () => {
      toast.success(t('administration.changed'))
      onDone()
      await queryClient.invalidateQueries({ queryKey: grantsKey })
    },
  })
}
