import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { findColleagues } from '#shared/chat/schedules/handing-over.ts'
import { isEvent, type Rule } from '#shared/chat/schedules/rule.ts'
import {
  getSchedule,
  listSchedules,
  listSlots,
  previewSchedule,
  type Schedule,
} from '#shared/chat/schedules/schedules.ts'
import type { Slot } from '#shared/chat/schedules/slots.ts'
import { call, callOrNotFound } from '../../platform/lib/api/call.ts'

export const schedulesKey = ['schedules']
/** Query key of one schedule. */
export const keyOfSchedule = (id: string) => [...schedulesKey, 'one', id]
export const keyOfLog = (id: string) => [...schedulesKey, 'log', id]
export const SCHEDULES_PAGE = 50
/** Runs begin and end without the browser, so open pages look again. */
const LOOK_AGAIN_MS = 15_000
const LOOK_SOON_MS = 2_000

export function useScheduleList(page: number) {
  return useQuery({
    queryKey: [...schedulesKey, 'list', page],
    queryFn: ({ signal }) => call(listSchedules, { query: { page, limit: SCHEDULES_PAGE }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
  })
}

/** One schedule; null if it is gone. */
export function useSchedule(id: string) {
  return useQuery({
    queryKey: keyOfSchedule(id),
    queryFn: async ({ signal }): Promise<Schedule | null> => {
      const found = await callOrNotFound(getSchedule, { params: { scheduleId: id }, signal })
      return 'notFound' in found ? null : found
    },
    staleTime: 10_000,
  })
}

/** A slot that changes in a moment. */
const isMoving = ({ state, by_hand, delivery_id }: Slot) =>
  state === 'running' || (state === 'planned' && (by_hand || delivery_id !== null))

export function useSlots(id: string, page: number) {
  return useQuery({
    queryKey: [...keyOfLog(id), page],
    queryFn: ({ signal }) =>
      call(listSlots, { params: { scheduleId: id }, query: { page, limit: SCHEDULES_PAGE }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isMoving) ? LOOK_SOON_MS : LOOK_AGAIN_MS),
  })
}

/** Place of the rule in the key of a preview. */
const PREVIEW_RULE = schedulesKey.length + 1

/** A rule in words with its next runs, or what is wrong with it. */
export function usePreview(rule: Rule | null, timeZone: string) {
  return useQuery({
    queryKey: [...schedulesKey, 'preview', rule, timeZone],
    queryFn: ({ signal }) =>
      call(previewSchedule, { body: { rule: rule as Rule, time_zone: timeZone }, signal }),
    enabled: rule !== null,
    // Dates of a time are wrong for an event.
    placeholderData: (previous, query) => {
      const before = query?.queryKey[PREVIEW_RULE] as Rule | null | undefined
      return rule && before && isEvent(rule) === isEvent(before) ? previous : undefined
    },
    staleTime: 30_000,
  })
}

export function useColleagues() {
  return useQuery({
    queryKey: [...schedulesKey, 'colleagues'],
    queryFn: ({ signal }) => call(findColleagues, { query: { limit: 50 }, signal }),
    staleTime: 60_000,
  })
}
