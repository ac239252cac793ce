import { Download, Link2, ScrollText, Search, Unlink2 } from 'lucide-react'
import { useState } from 'react'
import { AUDIT_LIMIT, AuditAction } from '#shared/identity/audit/audit.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../../platform/lib/me/roles.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { AdminHead } from '../admin-head.tsx'
import { Pages } from '../pages.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { AuditTable } from './audit-table.tsx'
import { StreamSection } from './stream/stream-section.tsx'
import { type AuditFilter, useAudit, useAuditCheck, useAuditFile } from './use-audit.ts'

const stretches = [1, 7, 30, 0]

/** Audit log of the installation: action, actor and origin. */
export function AuditPage() {
  const { t } = useTranslation('admin')
  const [filter, setFilter] = useState<AuditFilter>({ q: '', did: '', days: 7, isRefused: false })
  const [page, setPage] = useState(1)
  const isSuper = isSuperAdmin(useMe())
  const { data, error, isPending, refetch } = useAudit(filter, page)
  const file = useAuditFile(filter)
  const change = (part: Partial<AuditFilter>) => {
    setFilter({ ...filter, ...part })
    setPage(1)
  }
  return (
    <>
      <AdminHead title={t('administration.page.audit')} count={data?.total}>
        <ChainState />
        <Button
          icon={<Download aria-hidden className="icon" />}
          busy={file.isPending}
          onClick={() => file.mutate()}
        >
          {t('audit.export')}
        </Button>
      </AdminHead>
      <p className="-mt-2 mb-4 text-13 text-ink-2">{t('audit.intro')}</p>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Input
          type="search"
          quiet
          icon={<Search aria-hidden />}
          aria-label={t('audit.search')}
          placeholder={t('audit.search')}
          maxLength={200}
          value={filter.q}
          className="admin-search"
          onChange={({ target }) => change({ q: target.value })}
        />
        <Select
          aria-label={t('audit.column.did')}
          className="admin-search"
          value={filter.did}
          options={[
            { value: '', label: t('audit.any_action') },
            ...AuditAction.options.map((value) => ({ value, label: t(`audit.did.${value}`) })),
          ]}
          onValueChange={(did) => change({ did: did as AuditFilter['did'] })}
        />
        <Select
          aria-label={t('audit.stretch')}
          value={String(filter.days)}
          options={stretches.map((days) => ({
            value: String(days),
            label: days === 0 ? t('audit.ever') : t('audit.last_days', { count: days }),
          }))}
          onValueChange={(days) => change({ days: Number(days) })}
        />
        <Checkbox
          checked={filter.isRefused}
          onCheckedChange={(isRefused) => change({ isRefused })}
          label={t('audit.refused_only')}
        />
      </div>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-11', 'h-11', 'h-11', 'h-11']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data?.items.length === 0 && (
        <EmptyState icon={<ScrollText aria-hidden />} title={t('audit.nothing')} />
      )}
      {data && data.items.length > 0 && <AuditTable entries={data.items} />}
      {data && (
        <Pages
          page={page}
          limit={AUDIT_LIMIT}
          shown={data.items.length}
          total={data.total}
          onPage={setPage}
        />
      )}
      {isSuper && <StreamSection />}
    </>
  )
}

/** Shows whether the hash chain of the log is intact. */
function ChainState() {
  const { t } = useTranslation('admin')
  const { data } = useAuditCheck(isSuperAdmin(useMe()))
  if (!data || data.entries === 0) return null
  const isWhole = data.broken_at === null
  const Icon = isWhole ? Link2 : Unlink2
  return (
    <Badge tone={isWhole ? 'success' : 'danger'} icon={<Icon aria-hidden />}>
      {isWhole ? t('audit.whole') : t('audit.broken', { entry: formatNumber(data.broken_at ?? 0) })}
    </Badge>
  )
}
