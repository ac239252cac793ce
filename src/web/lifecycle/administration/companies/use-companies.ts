import { useMutation, useQuery } from '@tanstack/react-query'
import {
  type CompanyLimits,
  deleteCompany,
  getCompanyConsequences,
  listCompanyFigures,
  mergeCompany,
  setCompanyLimits,
} from '#shared/lifecycle/companies/companies.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { useSettled } from '../../../platform/lib/api/use-settled.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { readAgain } from '../use-managed.ts'

const figuresKey = ['company-figures']

/** Returns a page of matching companies with their figures. The previous page stays visible while the next one loads. */
export function useCompanyFigures(typed: string, page: number) {
  const q = useSettled(typed.trim())
  const query = { page: String(page), ...(q && { q }) }
  return useQuery({
    queryKey: [...figuresKey, query],
    queryFn: ({ signal }) => call(listCompanyFigures, { query, signal }),
    placeholderData: (before) => before,
  })
}

/** Returns what depends on a company. */
export function useConsequences(companyId: string) {
  return useQuery({
    queryKey: ['company-consequences', companyId],
    queryFn: ({ signal }) => call(getCompanyConsequences, { params: { companyId }, signal }),
    staleTime: 0,
  })
}

/** Refetches everything that shows companies. */
export async function readCompaniesAgain(): Promise<void> {
  await Promise.all([readAgain(), queryClient.invalidateQueries({ queryKey: figuresKey })])
}

export function useSetLimits(companyId: string, onDone: () => void) {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: (limits: CompanyLimits) => call(setCompanyLimits, { params: { companyId }, body: limits }),
    onSuccess: () => {
      toast.success(t('administration.changed'))
      onDone()
    },
    onSettled: readCompaniesAgain,
  })
}

type Ended = { id: string; name: string }

/** Merges a company into another, or deletes it without one, and reports the result. */
export function useEndCompany({ id, name }: Ended, onDone: () => void) {
  const { t } = useTranslation('companies')
  return useMutation({
    mutationFn: (into: Ended | null) =>
      into
        ? call(mergeCompany, { params: { companyId: id }, body: { into: into.id } })
        : call(deleteCompany, { params: { companyId: id }, body: { name } }),
    onSuccess: (_, into) => {
      toast.success(into ? t('merge.done', { name, into: into.name }) : t('delete.done', { name }))
      onDone()
    },
    onSettled: readCompaniesAgain,
  })
}
