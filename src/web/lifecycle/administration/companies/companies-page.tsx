import { Building2, Plus } from 'lucide-react'
import { useState } from 'react'
import { COMPANIES_LIMIT, type CompanyFigures } from '#shared/lifecycle/companies/companies.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../../platform/lib/me/roles.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { AdminHead } from '../admin-head.tsx'
import { AdminSearch } from '../admin-search.tsx'
import { Pages } from '../pages.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { useManagedCompanies, useNameCompany } from '../use-managed.ts'
import { CompaniesTable, type CompanyAction } from './companies-table.tsx'
import { CompanySignInDialog } from './company-sign-in-dialog.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { LimitsDialog } from './limits-dialog.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { NameDialog } from './name-dialog.tsx'
import { readCompaniesAgain, useCompanyFigures } from './use-companies.ts'
import '../budgets/budgets.css'

type Doing = { action: CompanyAction; company: CompanyFigures } | { action: 'create'; company: null }

/** Companies the user administers, with their people, administrators and spending. */
export function CompaniesPage() {
  const { t } = useTranslation('companies')
  const isSuper = isSuperAdmin(useMe())
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(1)
  const [doing, setDoing] = useState<Doing | null>(null)
  const { data, error, isPending, refetch } = useCompanyFigures(typed, page)
  return (
    <>
      <AdminHead title={t('admin:administration.page.companies')} count={data?.total}>
        <AdminSearch
          label={t('search')}
          value={typed}
          onSearch={(next) => {
            setTyped(next)
            setPage(1)
          }}
        />
        {isSuper && (
          <Button
            variant="primary"
            icon={<Plus aria-hidden className="icon" />}
            onClick={() => setDoing({ action: 'create', company: null })}
          >
            {t('admin:administration.new_company')}
          </Button>
        )}
      </AdminHead>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12', 'h-12', 'h-12']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data?.items.length === 0 && (
        <EmptyState icon={<Building2 aria-hidden />} title={t('nothing', { query: typed.trim() })} />
      )}
      {data && data.items.length > 0 && (
        <CompaniesTable
          companies={data.items}
          isSuper={isSuper}
          onAct={(action, company) => setDoing({ action, company })}
        />
      )}
      {data && (
        <Pages
          page={page}
          limit={COMPANIES_LIMIT}
          shown={data.items.length}
          total={data.total}
          onPage={setPage}
        />
      )}
      {doing && <CompanyDialog doing={doing} onClose={() => setDoing(null)} />}
    </>
  )
}

function CompanyDialog({ doing, onClose }: { doing: Doing; onClose: () => void }) {
  const { action, company } = doing
  switch (action) {
    case 'create':
    case 'rename':
      return <CompanyNameDialog company={company} onClose={onClose} />
    case 'sign_in':
      return <SignInDialog companyId={company.id} onClose={onClose} />
    case 'limits':
      return <LimitsDialog company={company} onClose={onClose} />
    case 'merge':
      return <MergeDialog company={company} onClose={onClose} />
    case 'delete':
      return <DeleteDialog company={company} onClose={onClose} />
    default:
      return action satisfies never
  }
}

function SignInDialog({ companyId, onClose }: { companyId: string; onClose: () => void }) {
  const company = useManagedCompanies().data?.find(({ id }) => id === companyId)
  return company ? <CompanySignInDialog company={company} onClose={onClose} /> : null
}

type CompanyNameDialogProps = { company: CompanyFigures | null; onClose: () => void }

function CompanyNameDialog({ company, onClose }: CompanyNameDialogProps) {
  const { t } = useTranslation('admin')
  const naming = useNameCompany(() => {
    onClose()
    void readCompaniesAgain()
  })
  return (
    <NameDialog
      title={t('administration.new_company')}
      label={t('administration.company_name')}
      name={company?.name ?? null}
      naming={naming}
      onName={(name) => naming.mutate({ id: company?.id ?? null, name })}
      onClose={onClose}
    />
  )
}
