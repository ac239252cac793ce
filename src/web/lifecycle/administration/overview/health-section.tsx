import { getHealth } from '#shared/lifecycle/health/health.ts'
import { formatNumber, formatTime } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { urlOf } from '../../../platform/lib/api/call.ts'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { PartRow } from './part-row.tsx'
import { useHealth } from './use-health.ts'

const order = { missing: 0, limited: 1, well: 2 }
/** As many rows as there are parts, so that nothing moves when they arrive. */
const skeletons = Array.from({ length: 12 }, () => 'h-12')

/** Health of the installation's parts, problems first. */
export function HealthSection() {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = useHealth()
  const details = data?.details
  const parts = [...(details?.parts ?? [])].sort((one, other) => order[one.state] - order[other.state])
  const well = parts.filter(({ state }) => state === 'well').length
  return (
    <section aria-label={t('administration.page.health')}>
      <div className="overview-head">
        <h3>{t('administration.page.health')}</h3>
        {details && <span>{t('health.checked', { time: formatTime(details.checked_at) })}</span>}
        <span className="flex-1" />
        {details && (
          <span role="status">
            {t('health.summary', { well: formatNumber(well), rest: formatNumber(parts.length - well) })}
          </span>
        )}
      </div>
      {isPending && <Skeletons className="grid gap-2" sizes={skeletons} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {details && !details.works_here && (
        <Callout className="mb-4">
          {t('health.elsewhere', { address: `${urlOf(getHealth)}?details` })}
        </Callout>
      )}
      {details && (
        <ul className="admin-card divide-y divide-line">
          {parts.map((part) => (
            <PartRow key={part.part} part={part} />
          ))}
        </ul>
      )}
    </section>
  )
}
