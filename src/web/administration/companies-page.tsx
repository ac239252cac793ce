import { Pencil, Plus, ShieldCheck } from 'lucide-react'
import { useId, useState } from 'react'
import type { ManagedCompany } from '#shared/administration/administration.ts'
import { errorText } from '../i18n/error-text.ts'
import { formatNumber } from '../i18n/format.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { useMe } from '../lib/me.ts'
import { isSuperAdmin } from '../lib/roles.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Input } from '../ui/input.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { Skeletons } from '../ui/skeleton.tsx'
import { CompanySignInDialog } from './company-sign-in-dialog.tsx'
import { ReadFailed } from './read-failed.tsx'
import { useManagedCompanies, useNameCompany } from './use-managed.ts'

/** The companies somebody administers, with how many people each has. */
export function CompaniesPage() {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = useManagedCompanies()
  const isSuper = isSuperAdmin(useMe())
  const [named, setNamed] = useState<ManagedCompany | 'new' | null>(null)
  const [signInOf, setSignInOf] = useState<string | null>(null)
  const opened = data?.find(({ id }) => id === signInOf)
  return (
    <>
      <div className="admin-head">
        <h2>{t('administration.page.companies')}</h2>
        {data && <span className="num text-14 text-ink-3">{formatNumber(data.length)}</span>}
        <span className="flex-1" />
        {isSuper && (
          <Button
            variant="primary"
            icon={<Plus aria-hidden className="icon" />}
            onClick={() => setNamed('new')}
          >
            {t('administration.new_company')}
          </Button>
        )}
      </div>
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
      {named && <NameDialog company={named === 'new' ? null : named} onClose={() => setNamed(null)} />}
    </>
  )
}

function NameDialog({ company, onClose }: { company: ManagedCompany | null; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const form = useId()
  const [name, setName] = useState(company?.name ?? '')
  const naming = useNameCompany(onClose)
  const isRight = name.trim() !== ''
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={company ? t('administration.rename', { name: company.name }) : t('administration.new_company')}
      footer={
        <>
          <Button onClick={onClose}>{t('common:actions.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" disabled={!isRight} busy={naming.isPending}>
            {t('administration.save')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault()
          if (isRight && !naming.isPending) naming.mutate({ id: company?.id ?? null, name: name.trim() })
        }}
      >
        <Field label={t('administration.company_name')} error={naming.error && errorText(t, naming.error)}>
          <Input value={name} maxLength={100} onChange={({ target }) => setName(target.value)} />
        </Field>
      </form>
    </Dialog>
  )
}
