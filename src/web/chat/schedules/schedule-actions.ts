import { answerOffer, offerSchedule } from '#shared/chat/schedules/handing-over.ts'
import {
  createSchedule,
  deleteSchedule,
  duplicateSchedule,
  runSchedule,
  type Schedule,
  skipSlot,
  switchSchedule,
  updateSchedule,
} from '#shared/chat/schedules/schedules.ts'
import type { NewSchedule, ScheduleChanges } from '#shared/chat/schedules/settings.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { keyOfLog, keyOfSchedule, schedulesKey } from './use-schedules.ts'

export async function create(body: NewSchedule): Promise<Schedule> {
  return noteSaved(await call(createSchedule, { body }))
}

export async function update(scheduleId: string, body: ScheduleChanges): Promise<Schedule> {
  return noteSaved(await call(updateSchedule, { params: { scheduleId }, body }))
}

export async function switchTo(scheduleId: string, state: 'on' | 'paused'): Promise<Schedule> {
  return noteSaved(await call(switchSchedule, { params: { scheduleId }, body: { state } }))
}

export async function duplicate(scheduleId: string): Promise<Schedule> {
  return noteSaved(await call(duplicateSchedule, { params: { scheduleId } }))
}

/** Runs a schedule once. */
export async function runNow(scheduleId: string): Promise<void> {
  await call(runSchedule, { params: { scheduleId }, body: { client_id: crypto.randomUUID() } })
  await queryClient.invalidateQueries({ queryKey: schedulesKey })
}

export async function skip(scheduleId: string, slotId: string): Promise<void> {
  await call(skipSlot, { params: { scheduleId, slotId } })
  await queryClient.invalidateQueries({ queryKey: schedulesKey })
}

export async function remove(scheduleId: string): Promise<void> {
  await call(deleteSchedule, { params: { scheduleId } })
  queryClient.removeQueries({ queryKey: keyOfSchedule(scheduleId) })
  await queryClient.invalidateQueries({ queryKey: [...schedulesKey, 'list'] })
}

export async function offerTo(scheduleId: string, user_id: string | null): Promise<void> {
  await call(offerSchedule, { params: { scheduleId }, body: { user_id } })
  await queryClient.invalidateQueries({ queryKey: schedulesKey })
}

export async function answer(offeredScheduleId: string, accept: boolean): Promise<void> {
  await call(answerOffer, { params: { offeredScheduleId }, body: { accept } })
  await queryClient.invalidateQueries({ queryKey: schedulesKey })
}

function noteSaved(schedule: Schedule): Schedule {
  queryClient.setQueryData(keyOfSchedule(schedule.id), schedule)
  void queryClient.invalidateQueries({ queryKey: [...schedulesKey, 'list'] })
  void queryClient.invalidateQueries({ queryKey: keyOfLog(schedule.id) })
  return schedule
}
