import { useState } from 'react'
import type { Sync } from '#shared/knowledge/connectors/connector-items.ts'
import type { Connector } from '#shared/knowledge/connectors/connectors.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Pager } from '../../../platform/ui/pager.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { LoadFailure } from '../../../platform/ui/states/load-failure.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { timeText, versionOf } from '../connector-words.ts'
import { CONNECTORS_PAGE, useSyncs } from '../use-connectors.ts'

const kinds = ['added', 'changed', 'moved', 'removed', 'refused'] as const

/** The finished syncs with what each of them found, newest first. */
export function SyncHistory({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const [page, setPage] = useState(1)
  const { data, error, isPending, refetch } = useSyncs(connector.id, page, versionOf(connector))
  const mayHaveMore = data?.items.length === CONNECTORS_PAGE
  return (
    <div className="grid grid-cols-1 gap-4 pt-4">
      {isPending && <Skeletons className="grid gap-2" sizes={['h-11', 'h-11', 'h-11']} />}
      {error && !data && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {data?.items.length === 0 && <EmptyState title={t('syncs.none')} />}
      {data && data.items.length > 0 && (
        <ol aria-label={t('tabs.syncs')} className="divide-y divide-line rounded-card border border-line">
          {data.items.map((sync) => (
            <SyncRow key={sync.id} sync={sync} />
          ))}
        </ol>
      )}
      <Pager
        page={page}
        hasMore={Boolean(mayHaveMore)}
        onPage={setPage}
        before={t('previous')}
        after={t('next')}
      />
    </div>
  )
}

function SyncRow({ sync: { began_at, ended_at, counts, error } }: { sync: Sync }) {
  const { t } = useTranslation('connectors')
  const seconds = Math.max(1, Math.round((Date.parse(ended_at) - Date.parse(began_at)) / 1000))
  const found = kinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => t(`syncs.${kind}`, { count: counts[kind], shown: formatNumber(counts[kind]) }))
  return (
    <li className="grid grid-cols-[200px_minmax(0,1fr)_auto] items-baseline gap-x-3 gap-y-0.5 px-4 py-2.5 text-13 max-md:grid-cols-[minmax(0,1fr)_auto]">
      <span className="num">{timeText(began_at)}</span>
      <span className="num text-ink-2 max-md:col-span-2 max-md:row-start-2">
        {found.length > 0 ? found.join(' · ') : t('syncs.nothing')}
        {error && (
          <span className="block text-danger" lang="en">
            {error}
          </span>
        )}
      </span>
      <span className="num text-ink-3">
        {t('syncs.took', { count: seconds, shown: formatNumber(seconds) })}
      </span>
    </li>
  )
}
