import { useMutation, useQuery } from '@tanstack/react-query'
import { listAcceptances, listTerms, publishTerms, withdrawTerms } from '#shared/identity/terms/terms.ts'
import { call } from '../../../../platform/lib/api/call.ts'
import { queryClient } from '../../../../platform/lib/api/query-client.ts'
import { refetchMe } from '../../../../platform/lib/me/me.ts'

const keyOf = (companyId: string) => ['company-terms', companyId]

/** Returns a page of the versions of a company's terms. */
export function useTerms(companyId: string, page: number) {
  return useQuery({
    queryKey: [...keyOf(companyId), page],
    queryFn: ({ signal }) =>
      call(listTerms, { params: { companyId }, query: { page: String(page) }, signal }),
    placeholderData: (before) => before,
  })
}

/** Returns a page of the people of a company with their acceptance of a version. */
export function useAcceptances(companyId: string, version: number, page: number) {
  return useQuery({
    queryKey: [...keyOf(companyId), 'acceptances', version, page],
    queryFn: ({ signal }) =>
      call(listAcceptances, {
        params: { companyId, version: String(version) },
        query: { page: String(page) },
        signal,
      }),
    placeholderData: (before) => before,
  })
}

export function usePublishTerms(companyId: string, onDone: () => void) {
  return useMutation({
    mutationFn: (body: { text_en: string; text_fr: string }) =>
      call(publishTerms, { params: { companyId }, body }),
    onSuccess: onDone,
    onSettled: () => readAgain(companyId),
  })
}

export function useWithdrawTerms(companyId: string, onDone: () => void) {
  return useMutation({
    mutationFn: () => call(withdrawTerms, { params: { companyId } }),
    onSuccess: onDone,
    onSettled: () => readAgain(companyId),
  })
}

const readAgain = (companyId: string) =>
  Promise.all([queryClient.invalidateQueries({ queryKey: keyOf(companyId) }), refetchMe()])
