import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import {
  createCompany,
  listManagedCompanies,
  listManagedUsers,
  type ManagedCompany,
  type ManagedUser,
  type Membership,
  type UserState,
  updateCompany,
  updateManagedUser,
} from '#shared/identity/administration/administration.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { useSettled } from '../../platform/lib/api/use-settled.ts'
import { useMe } from '../../platform/lib/me/me.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'

const usersKey = ['managed-users']
const companiesKey = ['managed-companies']
export const personKey = ['managed-person']

export type UserFilter = { company_id?: string; role?: RoleName | ''; state?: UserState | '' }

/** Returns a page of matching users. The previous page stays visible while the next one loads. */
export function useManagedUsers(typed: string, page: number, filter: UserFilter = {}) {
  const q = useSettled(typed.trim())
  const query = { page: String(page), ...userQuery(q, filter) }
  return useQuery({
    queryKey: [...usersKey, query],
    queryFn: ({ signal }) => call(listManagedUsers, { query, signal }),
    placeholderData: (before) => before,
  })
}

/** Returns the query of a search with filters; an empty value filters nothing. */
export const userQuery = (q: string, filter: UserFilter): Record<string, string> =>
  Object.fromEntries(Object.entries({ q, ...filter }).filter(([, value]) => value))

export function useManagedCompanies() {
  return useQuery({
    queryKey: companiesKey,
    queryFn: ({ signal }) => call(listManagedCompanies, { signal }),
  })
}

/** Returns the chosen company, at first one that the user administers as a member, and how to choose another. */
export function useChosenCompany(
  companies: readonly ManagedCompany[],
): [ManagedCompany | undefined, (id: string) => void] {
  const me = useMe()
  const [chosen, setChosen] = useState<string | null>(null)
  const own = me?.company_affiliations.find(({ role }) => role.name !== 'member')?.company.id
  const find = (id: string | null | undefined) => companies.find((company) => company.id === id)
  return [find(chosen) ?? find(own) ?? companies[0], setChosen]
}

export type UserChanges = { membership?: Membership; beta_access?: boolean }

/** Changes a user's permissions and reports a failure. */
export function useChangeUser() {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: ({ user, changes }: { user: ManagedUser; changes: UserChanges }) =>
      call(updateManagedUser, { params: { userId: user.id }, body: changes }),
    onSuccess: () => toast.success(t('administration.changed')),
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: readAgain,
  })
}

/** Renames a company; creates one when there is no id. */
export function useNameCompany(onDone: () => void) {
  return useMutation({
    mutationFn: ({ id, name }: { id: string | null; name: string }) =>
      id === null
        ? call(createCompany, { body: { name } })
        : call(updateCompany, { params: { companyId: id }, body: { name } }),
    onSuccess: async () => {
      onDone()
      await readAgain()
    },
  })
}

type CompanyChange = { id: string } & Partial<
  Pick<ManagedCompany, 'requires_second_factor' | 'outward_calls' | 'members_share' | 'mails_show_content'>
>

/** Changes a company's sign-in rules, its approval rule for outside calls, or whether its members share. */
export function useChangeCompany() {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: ({ id, ...body }: CompanyChange) => call(updateCompany, { params: { companyId: id }, body }),
    onSuccess: () => toast.success(t('administration.changed')),
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: readAgain,
  })
}

/** Refetches users and companies after a change. */
export async function readAgain(): Promise<void> {
  await Promise.all(
    [usersKey, companiesKey, personKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )
}
