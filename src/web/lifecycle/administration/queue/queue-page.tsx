import { ListChecks } from 'lucide-react'
import { useState } from 'react'
import { JobState, QUEUE_LIMIT } from '#shared/lifecycle/queue/queue.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Select } from '../../../platform/ui/select.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { AdminHead } from '../admin-head.tsx'
import { AdminTable } from '../admin-table.tsx'
import { Pages } from '../pages.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { JobRow } from './job-row.tsx'
import { useQueue } from './use-queue.ts'

const columns = ['job', 'state', 'attempts', 'added', 'at'] as const

/** Background jobs of the installation: running, waiting and failed, with actions on each. */
export function QueuePage() {
  const { t } = useTranslation('admin')
  const [state, setState] = useState<JobState | ''>('')
  const [page, setPage] = useState(1)
  const { data, error, isPending, refetch } = useQueue(state, page)
  const labelOf = (one: JobState) =>
    data ? `${t(`queue.state.${one}`)} · ${formatNumber(data.counts[one])}` : t(`queue.state.${one}`)
  return (
    <>
      <AdminHead title={t('administration.page.queue')} count={data?.total}>
        <Select
          aria-label={t('queue.column.state')}
          value={state}
          options={[
            { value: '', label: t('queue.any_state') },
            ...JobState.options.map((value) => ({ value, label: labelOf(value) })),
          ]}
          onValueChange={(next) => {
            setState(next as JobState | '')
            setPage(1)
          }}
        />
      </AdminHead>
      <p className="-mt-2 mb-4 text-13 text-ink-2">{t('queue.intro')}</p>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-11', 'h-11', 'h-11', 'h-11']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data?.items.length === 0 && (
        <EmptyState icon={<ListChecks aria-hidden />} title={t('queue.nothing')} />
      )}
      {data && data.items.length > 0 && (
        <AdminTable
          columns={columns.map((column) => t(`queue.column.${column}`))}
          actions={t('queue.column.actions')}
        >
          {data.items.map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
        </AdminTable>
      )}
      {data && (
        <Pages
          page={page}
          limit={QUEUE_LIMIT}
          shown={data.items.length}
          total={data.total}
          onPage={setPage}
        />
      )}
    </>
  )
}
