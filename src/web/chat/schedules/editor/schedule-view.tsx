import { Link, useLocation, useParams } from '@tanstack/react-router'
import { CalendarClock } from 'lucide-react'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { buttonLook } from '../../../platform/ui/button.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { View } from '../../../platform/ui/view.tsx'
import { useSchedule } from '../use-schedules.ts'
import { ScheduleEditor } from './schedule-editor.tsx'

/** The form of a new schedule, which may begin with a message. */
export function CreateScheduleView() {
  const { state } = useLocation()
  return (
    <ScheduleEditor
      schedule={null}
      beginnings={state.promptText === undefined ? {} : { text: state.promptText }}
    />
  )
}

/** One schedule: its form and its log. */
export function ScheduleView() {
  const { t } = useTranslation('schedules')
  const { scheduleId = '' } = useParams({ strict: false }) as { scheduleId?: string }
  const { data: schedule, error } = useSchedule(scheduleId)
  if (schedule) return <ScheduleEditor key={schedule.id} schedule={schedule} />
  return (
    <View title={t('title')}>
      {schedule === undefined && !error ? (
        <Skeletons
          className="mx-auto grid w-full max-w-[688px] gap-4 px-6 py-6"
          sizes={['h-10 w-72', 'h-20 w-full rounded-card', 'h-40 w-full rounded-card']}
        />
      ) : (
        <EmptyState
          page
          icon={<CalendarClock aria-hidden />}
          title={t('gone')}
          action={
            <Link to="/schedules" className={buttonLook()}>
              {t('back')}
            </Link>
          }
        >
          {schedule === null || isApiError(error, 403) ? t('gone_text') : errorText(t, error)}
        </EmptyState>
      )}
    </View>
  )
}
