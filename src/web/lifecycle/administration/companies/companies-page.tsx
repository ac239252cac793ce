import { Pencil, Plus, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { ManagedCompany } from '#shared/identity/administration/administration.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../../platform/lib/me/roles.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { AdminHead } from '../admin-head.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { useManagedCompanies, useNameCompany } from '../use-managed.ts'
import { CompanySignInDialog } from './company-sign-in-dialog.tsx'
import { NameDialog } from './name-dialog.tsx'

/** Companies the user administers, with their number of users. */
export function CompaniesPage() {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = useManagedCompanies()
  const isSuper = isSuperAdmin(useMe())
  const [named, setNamed] = useState<ManagedCompany | 'new' | null>(null)
  const [signInOf, setSignInOf] = useState<string | null>(null)
  const opened = data?.find(({ id }) => id === signInOf)
  return (
    <>
      <AdminHead title={t('administration.page.companies')} count={data?.length}>
        {isSuper && (
          <Button
            variant="primary"
            icon={<Plus aria-hidden className="icon" />}
            onClick={() => setNamed('new')}
          >
            {t('administration.new_company')}
          </Button>
        )}
      </AdminHead>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data && (
        <ul className="admin-card divide-y divide-line">
          {data.map((company) => (
            <li key={company.id} className="flex items-center gap-3 py-2 pr-2 pl-4">
              <span className="min-w-0 flex-1 truncate font-medium">{company.name}</span>
              <span className="num text-13 text-ink-2">
                {t('administration.people', { count: company.people, shown: formatNumber(company.people) })}
              </span>
              <IconButton
                name={t('administration.sign_in_of', { name: company.name })}
                size="sm"
                onClick={() => setSignInOf(company.id)}
              >
                <ShieldCheck aria-hidden className="icon-14" />
              </IconButton>
              <IconButton
                name={t('administration.rename', { name: company.name })}
                size="sm"
                onClick={() => setNamed(company)}
              >
                <Pencil aria-hidden className="icon-14" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {opened && <CompanySignInDialog company={opened} onClose={() => setSignInOf(null)} />}
      {named && <CompanyNameDialog company={named === 'new' ? null : named} onClose={() => setNamed(null)} />}
    </>
  )
}

type CompanyNameDialogProps = { company: ManagedCompany | null; onClose: () => void }

function CompanyNameDialog({ company, onClose }: CompanyNameDialogProps) {
  const { t } = useTranslation('admin')
  const naming = useNameCompany(onClose)
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
