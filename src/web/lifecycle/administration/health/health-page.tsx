import { RefreshCw } from 'lucide-react'
import { getHealth } from '#shared/lifecycle/health/health.ts'
import { formatNumber, formatTime } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { urlOf } from '../../../platform/lib/api/call.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { PartRow } from './part-row.tsx'
import { useCheckAgain, useHealth } from './use-health.ts'

const order = { missing: 0, limited: 1, well: 2 }

/** Health of the installation's parts, problems first, with a button to check again. */
export function HealthPage() {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = useHealth()
  const again = useCheckAgain()
  const details = data?.details
  const parts = [...(details?.parts ?? [])].sort((one, other) => order[one.state] - order[other.state])
  const well = parts.filter(({ state }) => state === 'well').length
  return (
    <>
      <div className="admin-head">
        <h2>{t('administration.page.health')}</h2>
        {details && (
          <span className="text-13 text-ink-3">
            {t('health.checked', { time: formatTime(details.checked_at) })}
          </span>
        )}
        <span className="flex-1" />
        <Button
          icon={<RefreshCw aria-hidden className="icon" />}
          busy={again.isPending}
          disabled={isPending}
          onClick={() => again.mutate()}
        >
          {t('health.again')}
        </Button>
      </div>
      <p className="-mt-2 mb-4 text-13 text-ink-2">
        {t('health.intro')}{' '}
        {details && (
          <span role="status">
            {t('health.summary', { well: formatNumber(well), rest: formatNumber(parts.length - well) })}
          </span>
        )}
      </p>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12', 'h-12', 'h-12']} />}
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
    </>
  )
}
