import { RotateCw, X } from 'lucide-react'
import type { QueuedJob } from '#shared/lifecycle/queue/queue.ts'
import { formatDate, formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { useJobChange } from './use-queue.ts'

const tones = {
  running: 'accent',
  waiting: 'line',
  later: 'line',
  retrying: 'warning',
  given_up: 'danger',
} as const

/** A job, with buttons to run it now or cancel it. */
export function JobRow({ job }: { job: QueuedJob }) {
  const { t } = useTranslation('admin')
  const retry = useJobChange('retry')
  const cancel = useJobChange('cancel')
  const name = `${t(`queue.kind.${job.kind}`)} ${job.id}`
  const when = (time: string) => formatDate(time, { dateStyle: 'short', timeStyle: 'medium' })
  return (
    <tr>
      <th scope="row">
        <span className="block font-medium" data-tip={job.name}>
          {t(`queue.kind.${job.kind}`)}
        </span>
        {/* Upkeep is of many sorts, which have no words of their own. */}
        {job.kind === 'upkeep' && (
          <span className="block font-mono text-12 font-regular text-ink-3">{job.name}</span>
        )}
      </th>
      <td data-label={t('queue.column.state')}>
        <Badge tone={tones[job.state]}>{t(`queue.state.${job.state}`)}</Badge>
      </td>
      <td className="num" data-label={t('queue.column.attempts')}>
        {t('queue.attempts', {
          count: job.attempts,
          shown: formatNumber(job.attempts),
          most: formatNumber(job.attempts_most),
        })}
      </td>
      <td className="num text-ink-2" data-label={t('queue.column.added')}>
        {when(job.added_at)}
      </td>
      <td className="num text-ink-2" data-label={t('queue.column.at')}>
        {job.state === 'given_up' ? '–' : when(job.at)}
      </td>
      <td>
        <span className="flex justify-end gap-1">
          {job.state !== 'running' && (
            <IconButton
              name={t('queue.retry', { job: name })}
              size="sm"
              disabled={retry.isPending}
              onClick={() => retry.mutate(job.id)}
            >
              <RotateCw aria-hidden className="icon" />
            </IconButton>
          )}
          <IconButton
            name={t('queue.cancel', { job: name })}
            size="sm"
            disabled={cancel.isPending}
            onClick={() => cancel.mutate(job.id)}
          >
            <X aria-hidden className="icon" />
          </IconButton>
        </span>
      </td>
    </tr>
  )
}
