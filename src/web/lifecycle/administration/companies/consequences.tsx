import type { CompanyConsequences } from '#shared/lifecycle/companies/companies.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { useConsequences } from './use-companies.ts'

const kinds = {
  merge: ['people', 'admins', 'groups', 'shared', 'webhooks', 'invitations', 'domains', 'budgets'],
  delete: ['people', 'alone', 'groups', 'shared', 'webhooks', 'invitations', 'domains', 'budgets'],
} as const

/** Lists the things that depend on a company, with their number and what becomes of them. */
export function Consequences({ companyId, of }: { companyId: string; of: 'merge' | 'delete' }) {
  const { t } = useTranslation('companies')
  const { data, error, isPending, refetch } = useConsequences(companyId)
  if (isPending) return <Skeletons className="grid gap-2" sizes={['h-9', 'h-9', 'h-9']} />
  if (error) return <ReadFailed error={error} onRetry={refetch} />
  const shown = kinds[of].filter((kind) => countOf(data, kind) > 0)
  return (
    <ul
      aria-label={t('consequences')}
      className="divide-y divide-line rounded-card border border-line text-13"
    >
      {shown.map((kind) => (
        <li key={kind} className="flex items-baseline gap-3 px-3.5 py-2">
          <span className="num w-8 flex-none text-end font-medium">{formatNumber(countOf(data, kind))}</span>
          <span className="min-w-0">{t(`effect.${of}.${kind}`, { count: countOf(data, kind) })}</span>
        </li>
      ))}
      {data.has_directory && <li className="px-3.5 py-2">{t(`effect.${of}.directory`)}</li>}
      {shown.length === 0 && !data.has_directory && <li className="px-3.5 py-2">{t('nothing_depends')}</li>}
    </ul>
  )
}

function countOf(found: CompanyConsequences, kind: (typeof kinds)['merge' | 'delete'][number]): number {
  return kind === 'shared' ? found.documents + found.assistants + found.tools : found[kind]
}
