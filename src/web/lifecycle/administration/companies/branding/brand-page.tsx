import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Skeletons } from '../../../../platform/ui/states/skeleton.tsx'
import { AdminHead } from '../../admin-head.tsx'
import { CompanyPicker } from '../../company-picker.tsx'
import { ReadFailed } from '../../read-failed.tsx'
import { useChosenCompany, useManagedCompanies } from '../../use-managed.ts'
import { BrandForm } from './brand-form.tsx'
import { useCompanyBrand } from './use-brand.ts'

/** The name, logo, colours and mail sender of a company. */
export default function BrandPage() {
  const { t } = useTranslation('admin')
  const { data: companies, error, refetch } = useManagedCompanies()
  const [company, choose] = useChosenCompany(companies ?? [])
  return (
    <>
      <AdminHead title={t('administration.page.brand')} />
      <p className="mb-4 text-13 text-ink-2">{t('brand.intro')}</p>
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {companies && companies.length > 1 && (
        <div className="admin-search mb-4">
          <CompanyPicker
            isField
            name={t('brand.company')}
            companies={companies}
            value={company?.id ?? ''}
            emptyLabel=""
            onChoose={choose}
          />
        </div>
      )}
      {company && <BrandOf key={company.id} companyId={company.id} />}
    </>
  )
}

function BrandOf({ companyId }: { companyId: string }) {
  const { data, error, isPending, refetch } = useCompanyBrand(companyId)
  if (isPending) return <Skeletons className="grid gap-2" sizes={['h-12', 'h-12', 'h-40']} />
  if (error) return <ReadFailed error={error} onRetry={refetch} />
  return <BrandForm companyId={companyId} brand={data} />
}
