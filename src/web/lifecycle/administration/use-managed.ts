import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
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
import { toast } from '../../platform/ui/toasts/toasts.ts'

const usersKey = ['managed-users']
const companiesKey = ['managed-companies']
/** So long after the last letter the people are asked for. */
const SETTLED_MS = 250

export type UserFilter = { company_id?: string; role?: RoleName | ''; state?: UserState | '' }

/** One page of the people who fit what is typed; the page before stays until the next one is there. */
export function useManagedUsers(typed: string, page: number, filter: UserFilter = {}) {
  const q = useSettled(typed.trim())
  const query = { page: String(page), ...(q ? { q } : {}), ...chosenOf(filter) }
  return useQuery({
    queryKey: [...usersKey, query],
    queryFn: ({ signal }) => call(listManagedUsers, { query, signal }),
    placeholderData: (before) => before,
  })
}

/** What was chosen of a filter: an empty choice narrows nothing. */
const chosenOf = (filter: UserFilter): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value))

export function useManagedCompanies() {
  return useQuery({
    queryKey: companiesKey,
    queryFn: ({ signal }) => call(listManagedCompanies, { signal }),
  })
}

export type UserChanges = { membership?: Membership; beta_access?: boolean }

/** Changes what a person may do, and says when that failed. */
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

/** Names a company, a new one where there is no id. */
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
  Pick<ManagedCompany, 'requires_second_factor' | 'outward_calls'>
>

/** Decides how the people of a company sign in, or when calls that leave their chats are approved. */
export function useChangeCompany() {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: ({ id, ...body }: CompanyChange) => call(updateCompany, { params: { companyId: id }, body }),
    onSuccess: () => toast.success(t('administration.changed')),
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: readAgain,
  })
}

/** Reads people and companies again, after something about them changed. */
export async function readAgain(): Promise<void> {
  await Promise.all([usersKey, companiesKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

/** What was typed, once nothing was typed for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
