import { useMutation, useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import {
  addNetwork,
  type CompanyNetwork,
  changeNetwork,
  listNetworks,
  type Restricts,
  removeNetwork,
} from '#shared/identity/networks/networks.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { isApiError } from '../../../../platform/lib/api/api-error.ts'
import { call } from '../../../../platform/lib/api/call.ts'
import { queryClient } from '../../../../platform/lib/api/query-client.ts'

const keyOf = (companyId: string) => ['networks', companyId]

/** Returns both lists of a company, and the address from which the person sees them. */
export function useNetworks(companyId: string) {
  return useQuery({
    queryKey: keyOf(companyId),
    queryFn: ({ signal }) => call(listNetworks, { params: { companyId }, signal }),
  })
}

export function useAddNetwork(companyId: string, restricts: Restricts, onDone: () => void) {
  return useMutation({
    mutationFn: (body: { network: string; note: string }) =>
      call(addNetwork, { params: { companyId }, body: { ...body, restricts } }),
    onSuccess: onDone,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(companyId) }),
  })
}

export function useChangeNote(companyId: string, { id }: CompanyNetwork, onDone: () => void) {
  return useMutation({
    mutationFn: (note: string) =>
      call(changeNetwork, { params: { companyId, networkId: id }, body: { note } }),
    onSuccess: onDone,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(companyId) }),
  })
}

export function useRemoveNetwork(companyId: string, { id }: CompanyNetwork) {
  return useMutation({
    mutationFn: () => call(removeNetwork, { params: { companyId, networkId: id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(companyId) }),
  })
}

/** Returns why a change was refused. The field of a conflict says whom it would lock out. */
export function refusalText(t: TFunction, error: Error, address: string): string {
  if (!isApiError(error, 409)) return errorText(t, error)
  const [field] = error.fields
  if (!field) return t('networks.twice')
  return t(field.path === 'network' ? 'networks.locks_out' : 'networks.locks_out_all', { address })
}
