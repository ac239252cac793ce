import { Link } from '@tanstack/react-router'
import { CalendarClock, Plus } from 'lucide-react'
import { useState } from 'react'
import type { ListedSchedule } from '#shared/chat/schedules/schedules.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { buttonLook } from '../../../platform/ui/button.tsx'
import { Pager } from '../../../platform/ui/pager.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { LoadFailure } from '../../../platform/ui/states/load-failure.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { View } from '../../../platform/ui/view.tsx'
import { DeleteSchedule } from '../delete-schedule.tsx'
import { SCHEDULES_PAGE, useScheduleList } from '../use-schedules.ts'
import { OfferDialog } from './offer-dialog.tsx'
import { OfferedSchedules } from './offered-schedules.tsx'
import { ScheduleRow } from './schedule-row.tsx'

/** The schedules of a person, and those that colleagues offer. */
export function SchedulesView() {
  const { t } = useTranslation('schedules')
  const [page, setPage] = useState(1)
  const { data, error, isPending, refetch } = useScheduleList(page)
  const [doomed, setDoomed] = useState<ListedSchedule | null>(null)
  const [given, setGiven] = useState<ListedSchedule | null>(null)
  const hasMore = data && data.total > page * SCHEDULES_PAGE
  return (
    <View
      title={t('title')}
      badges={data && <span className="num text-13 text-ink-3">{data.total}</span>}
      actions={
        <Link to="/schedules/create" className={buttonLook({ variant: 'primary' })} aria-label={t('new')}>
          <Plus aria-hidden className="icon" />
          <span className="max-md:sr-only">{t('new')}</span>
        </Link>
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[980px] grid-cols-1 gap-4 px-8 py-6 max-md:px-4">
          {isPending && (
            <Skeletons className="grid gap-2" sizes={['h-16 w-full', 'h-16 w-full', 'h-16 w-full']} />
          )}
          {error && !data && (
            <LoadFailure error={error} title={t('load_failed')} onRetry={() => void refetch()} />
          )}
          {data && <OfferedSchedules offered={data.offered} />}
          {data && data.items.length > 0 && (
            <ul aria-label={t('title')} className="divide-y divide-line rounded-card border border-line">
              {data.items.map((schedule) => (
                <ScheduleRow
                  key={schedule.id}
                  schedule={schedule}
                  onDelete={() => setDoomed(schedule)}
                  onOffer={() => setGiven(schedule)}
                />
              ))}
            </ul>
          )}
          {data?.total === 0 && (
            <EmptyState icon={<CalendarClock aria-hidden />} title={t('empty')}>
              {t('empty_text')}
            </EmptyState>
          )}
          <Pager
            page={page}
            hasMore={Boolean(hasMore)}
            onPage={setPage}
            before={t('newer')}
            after={t('older')}
          />
        </div>
      </div>
      <DeleteSchedule schedule={doomed} onClose={() => setDoomed(null)} />
      {given && <OfferDialog schedule={given} onClose={() => setGiven(null)} />}
    </View>
  )
}
