import { RefreshCw } from 'lucide-react'
import type { getOverview } from '#shared/lifecycle/overview/overview.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import type { Answer } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../../platform/lib/me/roles.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { AdminHead } from '../admin-head.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { Activity } from './activity.tsx'
import { AttentionList } from './attention-list.tsx'
import { HealthSection } from './health-section.tsx'
import { useCheckAgain } from './use-health.ts'
import { overviewKey, useOverview } from './use-overview.ts'
import './overview.css'

/** Shows the conditions that need the administrator, the activity of today and, for super admins, the health of every part. */
export function OverviewPage() {
  const { t } = useTranslation('overview')
  const isSuper = isSuperAdmin(useMe())
  const { data, error, isPending, refetch } = useOverview()
  return (
    <>
      <AdminHead title={t('title')} about={isSuper ? <ProcessFacts process={data?.process} /> : undefined}>
        {isSuper && <CheckAgain />}
      </AdminHead>
      <div className="overview">
        <div className="in-order grid content-start gap-6">
          <div>
            {isPending && <Skeletons className="grid gap-2" sizes={['h-5', 'h-16', 'h-16']} />}
            {error && <ReadFailed error={error} onRetry={refetch} />}
            {data && <AttentionList items={data.attention} isSuper={isSuper} />}
          </div>
          {isSuper && <HealthSection />}
        </div>
        <div>
          {isPending && (
            <Skeletons className="overview-skeleton grid gap-2" sizes={['h-5', 'h-24', 'h-24', 'h-24']} />
          )}
          {data && <Activity {...data} />}
        </div>
      </div>
    </>
  )
}

function CheckAgain() {
  const { t } = useTranslation('admin')
  const again = useCheckAgain()
  const check = () => {
    again.mutate()
    void queryClient.invalidateQueries({ queryKey: overviewKey })
  }
  return (
    <Button icon={<RefreshCw aria-hidden className="icon" />} busy={again.isPending} onClick={check}>
      {t('health.again')}
    </Button>
  )
}

/** Keeps its place until the facts are known. */
function ProcessFacts({ process }: { process: Answer<typeof getOverview>['process'] | undefined }) {
  const { t } = useTranslation('overview')
  if (!process) return '\u00a0'
  const { version, started_at } = process
  const minutes = Math.max(1, Math.round((Date.now() - Date.parse(started_at)) / 60_000))
  const [value, unit] =
    minutes >= 2_880
      ? ([minutes / 1_440, 'day'] as const)
      : minutes >= 120
        ? ([minutes / 60, 'hour'] as const)
        : ([minutes, 'minute'] as const)
  const time = formatNumber(Math.floor(value), { style: 'unit', unit, unitDisplay: 'long' })
  return t('process', { version, time })
}
