import { CalendarClock, CircleStop } from 'lucide-react'
import { useState } from 'react'
import type { MemberSchedule } from '#shared/chat/schedules/schedule-administration.ts'
import { formatCost, formatDate, formatNumber } from '../../../../platform/i18n/format.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { useMe } from '../../../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../../../platform/lib/me/roles.ts'
import { Badge } from '../../../../platform/ui/badge.tsx'
import { IconButton } from '../../../../platform/ui/icon-button.tsx'
import { ConfirmDialog } from '../../../../platform/ui/overlays/confirm-dialog.tsx'
import { EmptyState } from '../../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../../platform/ui/states/skeleton.tsx'
import { AdminHead } from '../../admin-head.tsx'
import { AdminTable } from '../../admin-table.tsx'
import { Pages } from '../../pages.tsx'
import { ReadFailed } from '../../read-failed.tsx'
import { ScheduleLimitsForm } from './schedule-limits-form.tsx'
import { MEMBER_SCHEDULES_PAGE, useMemberSchedules, useStopSchedule } from './use-member-schedules.ts'

const columns = ['schedule', 'owner', 'next', 'runs', 'cost'] as const

/** The schedules of all people whom the administrator manages, with cost and next run. */
export function SchedulesPage() {
  const isSuper = isSuperAdmin(useMe())
  const { t } = useTranslation('schedules')
  const [page, setPage] = useState(1)
  const [doomed, setDoomed] = useState<MemberSchedule | null>(null)
  const { data, error, isPending, refetch } = useMemberSchedules(page)
  const stop = useStopSchedule(() => setDoomed(null))
  return (
    <>
      <AdminHead title={t('title')} count={data?.total} />
      <p className="-mt-2 mb-4 text-13 text-ink-2">{t('admin.intro')}</p>
      {data && isSuper && <ScheduleLimitsForm limits={data.limits} />}
      {isPending && <Skeletons className="grid gap-2" sizes={['h-11', 'h-11', 'h-11']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data?.items.length === 0 && (
        <EmptyState icon={<CalendarClock aria-hidden />} title={t('admin.nothing')} />
      )}
      {data && data.items.length > 0 && (
        <AdminTable
          columns={columns.map((column) => t(`admin.column.${column}`))}
          actions={t('admin.actions')}
        >
          {data.items.map((schedule) => (
            <MemberRow key={schedule.id} schedule={schedule} onStop={() => setDoomed(schedule)} />
          ))}
        </AdminTable>
      )}
      {data && (
        <Pages
          page={page}
          limit={MEMBER_SCHEDULES_PAGE}
          shown={data.items.length}
          total={data.total}
          onPage={setPage}
        />
      )}
      <ConfirmDialog
        open={doomed !== null}
        onOpenChange={(isOpen) => !isOpen && setDoomed(null)}
        title={t('admin.stop_title', { name: doomed?.name ?? '' })}
        message={t('admin.stop_text', { name: doomed?.owner_name ?? '' })}
        confirmLabel={t('admin.stop')}
        busy={stop.isPending}
        onConfirm={() => doomed && stop.mutate(doomed.id)}
      />
    </>
  )
}

function MemberRow({ schedule, onStop }: { schedule: MemberSchedule; onStop: () => void }) {
  const { t } = useTranslation('schedules')
  const { name, sentence, owner_name, state, next_at, cost_30_days, cost, runs_30_days } = schedule
  const isLive = state === 'on' || state === 'paused'
  return (
    <tr>
      <th scope="row">
        <span dir="auto" className="block font-medium">
          {name}
        </span>
        <span className="block text-12 font-regular text-ink-3">{sentence}</span>
      </th>
      <td data-label={t('admin.column.owner')}>{owner_name}</td>
      <td className="num" data-label={t('admin.column.next')}>
        {next_at ? (
          formatDate(next_at, { dateStyle: 'medium', timeStyle: 'short' })
        ) : (
          <Badge>{t(`state.${state}`)}</Badge>
        )}
      </td>
      <td className="num" data-label={t('admin.column.runs')}>
        {formatNumber(runs_30_days)}
      </td>
      <td
        className="num"
        data-label={t('admin.column.cost')}
        data-tip={t('admin.all_time', { cost: formatCost(cost) })}
      >
        {formatCost(cost_30_days)}
      </td>
      <td>
        <span className="flex justify-end">
          {isLive && (
            <IconButton size="sm" name={t('admin.stop_named', { name })} onClick={onStop}>
              <CircleStop aria-hidden className="icon" />
            </IconButton>
          )}
        </span>
      </td>
    </tr>
  )
}
