import { useState } from 'react'
import type { RetainedKind, RetentionRule, RetentionState } from '#shared/lifecycle/retention/retention.ts'
import { formatDate, formatTime } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../../platform/lib/me/roles.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { AdminHead } from '../admin-head.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { useManagedCompanies } from '../use-managed.ts'
import { HoldsSection } from './holds/holds-section.tsx'
import { RetentionRow } from './retention-row.tsx'
import { RetentionRuns } from './retention-runs.tsx'
import { TrashSetting } from './trash-setting.tsx'
import { useRetention, useSetRetention } from './use-retention.ts'
import './retention.css'

/** Retention rules, what the next deletion run would remove, and past runs. */
export function RetentionPage() {
  const { t } = useTranslation('admin')
  const isSuper = isSuperAdmin(useMe())
  const { data: companies } = useManagedCompanies()
  const [chosen, setChosen] = useState<string | null>(isSuper ? '' : null)
  const companyId = chosen ?? companies?.[0]?.id ?? null
  const scopes = [
    ...(isSuper ? [{ value: '', label: t('retention.house') }] : []),
    ...(companies ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ]
  return (
    <>
      <Rules
        key={companyId}
        companyId={companyId}
        scope={
          // For super admins it is there before the companies are read, so that the head does not grow.
          (isSuper || scopes.length > 1) && (
            <Select
              aria-label={t('retention.for')}
              value={companyId ?? ''}
              options={scopes}
              onValueChange={setChosen}
            />
          )
        }
      />
      {isSuper && companyId === '' && <TrashSetting />}
      {isSuper && companyId === '' && <HoldsSection />}
      <RetentionRuns isSuper={isSuper} />
    </>
  )
}

type Drafts = Partial<Record<RetainedKind, Omit<RetentionRule, 'kind'>>>

function Rules({ companyId, scope }: { companyId: string | null; scope: React.ReactNode }) {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = useRetention(companyId)
  const [drafts, setDrafts] = useState<Drafts>({})
  const setting = useSetRetention(companyId ?? '', () => setDrafts({}))
  const rules = data?.rules.map((rule) => ({ ...rule, ...drafts[rule.kind] })) ?? []
  const changed = rules.filter((rule, at) => !isSame(rule, data?.rules[at]))
  const next = data ? new Date(data.next_at) : null
  return (
    <>
      <AdminHead title={t('administration.page.retention')}>
        {scope}
        <Button variant="ghost" disabled={changed.length === 0} onClick={() => setDrafts({})}>
          {t('retention.discard')}
        </Button>
        <Button
          variant="primary"
          disabled={changed.length === 0}
          busy={setting.isPending}
          onClick={() => setting.mutate(changed.map(toRule))}
        >
          {t('administration.save')}
        </Button>
      </AdminHead>
      <p className="-mt-2 mb-4 text-13 text-ink-2">
        {t('retention.intro')}{' '}
        {next && t('retention.next', { date: formatDate(next), time: formatTime(next) })}
      </p>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12', 'h-12', 'h-12']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data && (
        <ul className="admin-card">
          {rules.map((rule) => (
            <RetentionRow
              key={rule.kind}
              rule={rule}
              isCompany={companyId !== ''}
              isChanged={changed.includes(rule)}
              onChange={(draft) => setDrafts({ ...drafts, [rule.kind]: draft })}
            />
          ))}
        </ul>
      )}
    </>
  )
}

const isSame = (a: RetentionRule, b?: RetentionRule) =>
  a.follows_house === b?.follows_house && (a.follows_house || a.days === b.days)

const toRule = ({ kind, days, follows_house }: RetentionState): RetentionRule => ({
  ...{ kind, follows_house, days: follows_house ? null : days },
})
