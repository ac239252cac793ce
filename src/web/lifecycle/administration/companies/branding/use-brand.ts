import { useMutation, useQuery } from '@tanstack/react-query'
import {
  type BrandTheme,
  type CompanyBrand,
  changeCompanyBrand,
  deleteBrandLogo,
  getCompanyBrand,
  putBrandLogo,
  resetCompanyBrand,
} from '#shared/identity/branding/branding.ts'
import { followBrand } from '../../../../identity/branding/branding.ts'
import { call } from '../../../../platform/lib/api/call.ts'
import { queryClient } from '../../../../platform/lib/api/query-client.ts'

export type BrandFields = Pick<
  CompanyBrand,
  'name' | 'accent' | 'sender_name' | 'sender_address' | 'reply_to'
>

const keyOf = (companyId: string) => ['company-brand', companyId]

export function useCompanyBrand(companyId: string) {
  return useQuery({
    queryKey: keyOf(companyId),
    queryFn: ({ signal }) => call(getCompanyBrand, { params: { companyId }, signal }),
  })
}

export type BrandChange = { fields: BrandFields } | { theme: BrandTheme; file: File | null } | 'reset'

/** Changes the brand of a company. This page shows it immediately if it is the administrator's own. */
export function useChangeBrand(companyId: string, onDone: (brand: CompanyBrand) => void) {
  return useMutation({
    mutationFn: (change: BrandChange) => send(companyId, change),
    onSuccess: async (brand) => {
      queryClient.setQueryData(keyOf(companyId), brand)
      onDone(brand)
      await followBrand()
    },
  })
}

function send(companyId: string, change: BrandChange): Promise<CompanyBrand> {
  if (change === 'reset') return call(resetCompanyBrand, { params: { companyId } })
  if ('fields' in change) return call(changeCompanyBrand, { params: { companyId }, body: change.fields })
  const { theme, file } = change
  if (file === null) return call(deleteBrandLogo, { params: { companyId, theme } })
  const form = new FormData()
  form.append('file', file)
  return call(putBrandLogo, { params: { companyId, theme }, form })
}
