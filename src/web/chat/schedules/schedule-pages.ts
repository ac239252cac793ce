export { CreateScheduleView, ScheduleView } from './editor/schedule-view.tsx'
export { SchedulesView } from './list/schedules-view.tsx'
