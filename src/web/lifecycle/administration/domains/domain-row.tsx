import { useMutation } from '@tanstack/react-query'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { useState } from 'react'
import {
  type CompanyDomain,
  checkDomain,
  confirmDomain,
  removeDomain,
} from '#shared/identity/accounts/domains.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../../platform/lib/me/roles.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { CopyButton } from '../../../platform/ui/copy-button.tsx'
import { ConfirmDialog } from '../../../platform/ui/overlays/confirm-dialog.tsx'

type DomainRowProps = { companyId: string; domain: CompanyDomain }

/** A domain with its state, and the DNS record to publish while it is unverified. */
export function DomainRow({
  companyId,
  domain: { domain, record, verified_at, verified_by },
}: DomainRowProps) {
  const { t } = useTranslation('admin')
  const isSuper = isSuperAdmin(useMe())
  const [asks, setAsks] = useState<'confirm' | 'remove' | null>(null)
  const params = { companyId, domain }
  const after = {
    onSettled: () => {
      setAsks(null)
      return queryClient.invalidateQueries({ queryKey: ['domains', companyId] })
    },
  }
  const checking = useMutation({ mutationFn: () => call(checkDomain, { params }), ...after })
  const confirming = useMutation({ mutationFn: () => call(confirmDomain, { params }), ...after })
  const removing = useMutation({ mutationFn: () => call(removeDomain, { params }), ...after })
  const problem = problemOf([checking.error, confirming.error, removing.error].find(Boolean) ?? null)

  function problemOf(error: Error | null): string | null {
    if (isApiError(error) && error.status === 409) return t('administration.domains.taken')
    if (error) return errorText(t, error)
    return checking.data?.problem ? t(`administration.domains.problem.${checking.data.problem}`) : null
  }
  return (
    <li className="grid gap-2 px-4 py-2.5 text-13">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 break-all font-medium">{domain}</span>
        {verified_at ? (
          <Badge tone="success" icon={<CircleCheck aria-hidden />}>
            {t('administration.domains.verified')}
          </Badge>
        ) : (
          <Badge tone="line" icon={<CircleDashed aria-hidden />}>
            {t('administration.domains.open')}
          </Badge>
        )}
      </div>
      {verified_at ? (
        <span className="text-ink-3">
          {t(`administration.domains.by.${verified_by ?? 'dns'}`, { date: formatDate(verified_at) })}
        </span>
      ) : (
        <>
          <span className="text-ink-2">{t('administration.domains.publish')}</span>
          <Part label={t('administration.domains.record_name')} value={record.name} />
          <Part label={t('administration.domains.record_value')} value={record.value} />
          <span role="status" className="text-danger empty:hidden">
            {problem}
          </span>
        </>
      )}
      <div className="flex flex-wrap gap-2">
        {!verified_at && (
          <Button
            size="sm"
            busy={checking.isPending}
            aria-label={t('administration.domains.check_one', { domain })}
            onClick={() => checking.mutate()}
          >
            {t('administration.domains.check')}
          </Button>
        )}
        {!verified_at && isSuper && (
          <Button size="sm" variant="ghost" onClick={() => setAsks('confirm')}>
            {t('administration.domains.confirm')}
          </Button>
        )}
        <Button
          size="sm"
          variant="danger-ghost"
          aria-label={t('administration.domains.remove_one', { domain })}
          onClick={() => setAsks('remove')}
        >
          {t('administration.domains.remove')}
        </Button>
      </div>
      <ConfirmDialog
        open={asks !== null}
        onOpenChange={(isOpen) => !isOpen && setAsks(null)}
        tone={asks === 'confirm' ? 'primary' : 'danger'}
        title={t(`administration.domains.${asks ?? 'remove'}_title`, { domain })}
        message={t(`administration.domains.${asks ?? 'remove'}_message`)}
        confirmLabel={t(`administration.domains.${asks ?? 'remove'}`)}
        busy={confirming.isPending || removing.isPending}
        onConfirm={() => (asks === 'confirm' ? confirming : removing).mutate()}
      />
    </li>
  )
}

function Part({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation('admin')
  return (
    <span className="flex items-center gap-2 text-12">
      <span className="min-w-0 break-all">
        <span className="block text-ink-3">{label}</span>
        <code>{value}</code>
      </span>
      <CopyButton size="sm" read={() => value} name={t('administration.domains.copy', { name: label })} />
    </span>
  )
}
