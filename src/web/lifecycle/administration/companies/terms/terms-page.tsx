import { useState } from 'react'
import { type CompanyTerms, TERMS_LIMIT } from '#shared/identity/terms/terms.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { formatDate, formatNumber } from '../../../../platform/i18n/format.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Badge } from '../../../../platform/ui/badge.tsx'
import { Button } from '../../../../platform/ui/button.tsx'
import { ConfirmDialog } from '../../../../platform/ui/overlays/confirm-dialog.tsx'
import { Skeletons } from '../../../../platform/ui/states/skeleton.tsx'
import { toast } from '../../../../platform/ui/toasts/toasts.ts'
import { AdminHead } from '../../admin-head.tsx'
import { CompanyPicker } from '../../company-picker.tsx'
import { Pages } from '../../pages.tsx'
import { ReadFailed } from '../../read-failed.tsx'
import { useChosenCompany, useManagedCompanies } from '../../use-managed.ts'
import { AcceptancesDialog } from './acceptances-dialog.tsx'
import { PublishTermsForm } from './publish-terms-form.tsx'
import { useTerms, useWithdrawTerms } from './use-terms.ts'

/** The terms of a company: its versions, who accepted them, and a form for the next one. */
export default function TermsAdminPage() {
  const { t } = useTranslation('admin')
  const { data: companies, error, refetch } = useManagedCompanies()
  const [company, choose] = useChosenCompany(companies ?? [])
  return (
    <>
      <AdminHead title={t('administration.page.terms')} />
      <p className="mb-4 text-13 text-ink-2">{t('terms.intro')}</p>
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {companies && companies.length > 1 && (
        <div className="admin-search mb-4">
          <CompanyPicker
            isField
            name={t('terms.company')}
            companies={companies}
            value={company?.id ?? ''}
            emptyLabel=""
            onChoose={choose}
          />
        </div>
      )}
      {company && <TermsOf key={company.id} companyId={company.id} />}
    </>
  )
}

function TermsOf({ companyId }: { companyId: string }) {
  const { t } = useTranslation('admin')
  const [page, setPage] = useState(1)
  const [open, setOpen] = useState<'publish' | 'withdraw' | null>(null)
  const [shown, setShown] = useState<CompanyTerms | null>(null)
  const { data, error, isPending, refetch } = useTerms(companyId, page)
  const withdrawing = useWithdrawTerms(companyId, () => setOpen(null))
  if (isPending) return <Skeletons className="grid gap-2" sizes={['h-12', 'h-12']} />
  if (error) return <ReadFailed error={error} onRetry={refetch} />
  const newest = page === 1 ? data.items[0] : undefined
  const isInForce = newest !== undefined && newest.withdrawn_at === null
  return (
    <>
      <div className="mb-4 flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => setOpen('publish')}>
          {t('terms.new')}
        </Button>
        {isInForce && (
          <Button variant="danger-ghost" onClick={() => setOpen('withdraw')}>
            {t('terms.withdraw')}
          </Button>
        )}
      </div>
      {data.items.length === 0 ? (
        <p className="admin-card px-4 py-3 text-13 text-ink-2">{t('terms.none')}</p>
      ) : (
        <ul className="admin-card divide-y divide-line">
          {data.items.map((terms) => (
            <VersionRow key={terms.id} terms={terms} isNewest={terms.id === newest?.id} onShow={setShown} />
          ))}
        </ul>
      )}
      <Pages page={page} limit={TERMS_LIMIT} shown={data.items.length} total={data.total} onPage={setPage} />
      {open === 'publish' && (
        <PublishTermsForm companyId={companyId} before={newest ?? null} onClose={() => setOpen(null)} />
      )}
      <ConfirmDialog
        open={open === 'withdraw'}
        onOpenChange={(isOpen) => !isOpen && setOpen(null)}
        tone="danger"
        title={t('terms.withdraw_title')}
        message={t('terms.withdraw_text')}
        confirmLabel={t('terms.withdraw')}
        busy={withdrawing.isPending}
        onConfirm={() =>
          withdrawing.mutate(undefined, { onError: (wrong) => void toast.error(errorText(t, wrong)) })
        }
      />
      {shown && <AcceptancesDialog companyId={companyId} terms={shown} onClose={() => setShown(null)} />}
    </>
  )
}

type VersionRowProps = { terms: CompanyTerms; isNewest: boolean; onShow: (terms: CompanyTerms) => void }

function VersionRow({ terms, isNewest, onShow }: VersionRowProps) {
  const { t } = useTranslation('admin')
  const { version, published_at, published_by, withdrawn_at, accepted, people } = terms
  const state = withdrawn_at ? 'withdrawn' : isNewest ? 'in_force' : 'replaced'
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 text-13">
      <span className="min-w-0 flex-1 basis-56">
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{t('terms.version', { version })}</span>
          <Badge tone={state === 'in_force' ? 'success' : 'line'}>{t(`terms.state.${state}`)}</Badge>
        </span>
        <span className="mt-0.5 block text-ink-3">
          {t('terms.published', {
            date: formatDate(published_at, { dateStyle: 'long' }),
            name: published_by,
          })}
        </span>
      </span>
      <span className="num text-ink-2">
        {t('terms.accepted', { accepted: formatNumber(accepted), people: formatNumber(people) })}
      </span>
      <Button size="sm" aria-label={t('terms.show_one', { version })} onClick={() => onShow(terms)}>
        {t('terms.show')}
      </Button>
    </li>
  )
}
