import { useMutation, useQuery } from '@tanstack/react-query'
import { type CompanyMasking, getCompanyMasking, setCompanyMasking } from '#shared/models/masking/masking.ts'
import { call } from '../../../../platform/lib/api/call.ts'
import { queryClient } from '../../../../platform/lib/api/query-client.ts'

const keyOf = (companyId: string) => ['masking', 'company', companyId]

/** Returns what a company replaces, and the connected providers. */
export function useMasking(companyId: string) {
  return useQuery({
    queryKey: keyOf(companyId),
    queryFn: ({ signal }) => call(getCompanyMasking, { params: { companyId }, signal }),
  })
}

export function useSetMasking(companyId: string) {
  return useMutation({
    mutationFn: (body: CompanyMasking) => call(setCompanyMasking, { params: { companyId }, body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['masking'] }),
  })
}
