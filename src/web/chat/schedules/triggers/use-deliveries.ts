import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  type Delivery,
  getDelivery,
  getTriggerSecret,
  listDeliveries,
} from '#shared/chat/schedules/triggers.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { schedulesKey } from '../use-schedules.ts'

export const DELIVERIES_PAGE = 50
export type Outcome = 'all' | 'started' | 'refused'
/** Calls arrive without the browser, so an open list looks again. */
const LOOK_AGAIN_MS = 10_000
const LOOK_SOON_MS = 2_000

export const keyOfDeliveries = (id: string) => [...schedulesKey, 'deliveries', id]
export const keyOfSecret = (id: string) => [...schedulesKey, 'secret', id]

/** A delivery whose run is not over. */
export const isMoving = ({ run }: Pick<Delivery, 'run'>) =>
  run !== null && ['planned', 'waiting', 'running'].includes(run.state)

export function useDeliveries(scheduleId: string, outcome: Outcome, page: number) {
  return useQuery({
    queryKey: [...keyOfDeliveries(scheduleId), outcome, page],
    queryFn: ({ signal }) =>
      call(listDeliveries, {
        ...{ params: { scheduleId }, query: { outcome, page, limit: DELIVERIES_PAGE }, signal },
      }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isMoving) ? LOOK_SOON_MS : LOOK_AGAIN_MS),
  })
}

/** One delivery with its headers, its body and its run. */
export function useDelivery(scheduleId: string, triggerDeliveryId: string) {
  return useQuery({
    queryKey: [...keyOfDeliveries(scheduleId), 'one', triggerDeliveryId],
    queryFn: ({ signal }) => call(getDelivery, { params: { scheduleId, triggerDeliveryId }, signal }),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? LOOK_SOON_MS : false),
  })
}

export function useTriggerSecret(scheduleId: string) {
  return useQuery({
    queryKey: keyOfSecret(scheduleId),
    queryFn: ({ signal }) => call(getTriggerSecret, { params: { scheduleId }, signal }),
  })
}
