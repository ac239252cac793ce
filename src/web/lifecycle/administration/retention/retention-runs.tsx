import { useState } from 'react'
import { RETENTION_RUNS_LIMIT, type RetentionRun } from '#shared/lifecycle/retention/retention.ts'
import { formatDate, formatNumber, formatTime } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { sizeText } from '../../../platform/ui/files/file-size.ts'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { Pages } from '../pages.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { useRetentionRuns } from './use-retention.ts'

/** Daily deletion runs, newest first. */
export function RetentionRuns({ isSuper }: { isSuper: boolean }) {
  const { t } = useTranslation('admin')
  const [page, setPage] = useState(1)
  const { data, error, isPending, refetch } = useRetentionRuns(page)
  return (
    <section className="mt-6">
      <h3 className="mb-3 text-13 font-medium">{t('retention.runs')}</h3>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12']} />}
      {error && !data && <ReadFailed error={error} onRetry={refetch} />}
      {data?.items.length === 0 && <p className="text-13 text-ink-2">{t('retention.no_runs')}</p>}
      {data && data.items.length > 0 && (
        <ul className="admin-card">
          {data.items.map((run) => (
            <Run key={run.id} run={run} isSuper={isSuper} />
          ))}
        </ul>
      )}
      {data && (
        <Pages
          page={page}
          limit={RETENTION_RUNS_LIMIT}
          shown={data.items.length}
          total={data.total}
          onPage={setPage}
        />
      )}
    </section>
  )
}

function Run({ run, isSuper }: { run: RetentionRun; isSuper: boolean }) {
  const { t } = useTranslation('admin')
  const { began_at, state, counts } = run
  return (
    <li className="retention-row">
      <span className="num">
        <span className="block font-medium">{formatDate(began_at)}</span>
        <span className="block text-12 text-ink-3">{formatTime(began_at)}</span>
      </span>
      <span className={state === 'failed' ? 'text-13 text-danger' : 'text-13 text-ink-2'}>
        {t(`retention.state.${state}`)}
      </span>
      <ul className="num text-13 text-ink-2">
        {counts.length === 0 && <li>{t('retention.nothing')}</li>}
        {counts.map(({ kind, company, items, file_bytes }) => (
          <li key={`${kind} ${company}`}>
            {t(`retention.kind.${kind}`)} · {formatNumber(items)}
            {file_bytes > 0 && ` · ${sizeText(t, file_bytes)}`}
            {isSuper && kind !== 'audit' && ` · ${company ?? t('retention.nobodys')}`}
          </li>
        ))}
      </ul>
    </li>
  )
}
