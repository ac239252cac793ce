import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Skeletons } from '../../../../platform/ui/states/skeleton.tsx'
import { AdminHead } from '../../admin-head.tsx'
import { CompanyPicker } from '../../company-picker.tsx'
import { ReadFailed } from '../../read-failed.tsx'
import { useChosenCompany, useManagedCompanies } from '../../use-managed.ts'
import { AddClassForm } from './add-class-form.tsx'
import { ClassRow } from './class-row.tsx'
import { ReceiverRow } from './receiver-row.tsx'
import { useClasses } from './use-classes.ts'

/** The classes of data of a company, and what each provider may receive. */
export default function ClassesPage() {
  const { t } = useTranslation('admin')
  const { data: companies, error, refetch } = useManagedCompanies()
  const [company, choose] = useChosenCompany(companies ?? [])
  return (
    <>
      <AdminHead title={t('administration.page.classes')} />
      <p className="mb-4 text-13 text-ink-2">{t('classes.intro')}</p>
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {companies && companies.length > 1 && (
        <div className="admin-search mb-4">
          <CompanyPicker
            isField
            name={t('classes.company')}
            companies={companies}
            value={company?.id ?? ''}
            emptyLabel=""
            onChoose={choose}
          />
        </div>
      )}
      {company && <ClassesOf key={company.id} companyId={company.id} />}
    </>
  )
}

function ClassesOf({ companyId }: { companyId: string }) {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = useClasses(companyId)
  if (isPending) return <Skeletons className="grid gap-2" sizes={['h-12', 'h-12', 'h-12']} />
  if (error) return <ReadFailed error={error} onRetry={refetch} />
  const { items, receivers } = data
  return (
    <>
      <div className="admin-card divide-y divide-line">
        <ol aria-label={t('classes.list')} className="divide-y divide-line">
          {items.map((one, at) => (
            <ClassRow key={one.id} companyId={companyId} one={one} at={at} count={items.length} />
          ))}
        </ol>
        <AddClassForm companyId={companyId} />
      </div>
      <h3 className="mt-8 mb-1 text-14 font-semibold">{t('classes.providers')}</h3>
      <p className="mb-3 text-13 text-ink-2">{t('classes.providers_text')}</p>
      <ul aria-label={t('classes.providers')} className="admin-card divide-y divide-line">
        {receivers.map((receiver) => (
          <ReceiverRow key={receiver.id} companyId={companyId} receiver={receiver} classes={items} />
        ))}
      </ul>
    </>
  )
}
