import { type CallData, MAX_DELIVERIES_PER_HOUR } from '#shared/chat/schedules/triggers.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Deps } from '../../../tools/deps.ts'
import { requestRuns } from '../running/run-schedules.ts'
import {
  countRepetition,
  insertDelivery,
  listOfHour,
  lockTarget,
  type NewDelivery,
} from './delivery-store.ts'
import { maskBody } from './masks.ts'
import { readValues } from './read-values.ts'

type Event = Pick<NewDelivery, 'kind' | 'foreign_id' | 'headers' | 'signed_by' | 'replay_of'> & {
  data: CallData
  /** Shown instead of the data. */
  body?: string | null
}
export type Delivered = { id: string; slot_id: string | null; is_repeated: boolean }

/**
 * Stores a delivery with the slot it starts in one commit. A known id stores nothing and returns the first delivery.
 * @throws AppError `not_found`, `conflict` for a schedule that is not on, `invalid`, `rate_limited`
 */
export async function deliver(deps: Deps, scheduleId: string, event: Event): Promise<Delivered> {
  const delivered = await deps.db.transaction().execute(async (trx): Promise<Delivered> => {
    const target = await lockTarget(trx, scheduleId)
    if (!target) throw new AppError('not_found', 'Schedule not found')
    const first = await countRepetition(trx, scheduleId, event.kind, event.foreign_id)
    if (first) return { ...first, is_repeated: true }
    if (!target.is_called) throw new AppError('conflict', 'This schedule does not start on a call.')
    if (event.kind === 'call' && target.state !== 'on')
      throw new AppError('conflict', 'This schedule is not turned on.')
    const field_values = readValues(target.fields, event.data)
    await assertRoom(trx, scheduleId)
    const { kind, foreign_id, headers, signed_by, replay_of } = event
    const names = new Set(target.fields.map(({ name }) => name))
    const made = await insertDelivery(trx, {
      ...{ schedule_id: scheduleId, kind, foreign_id, headers, field_values, signed_by, replay_of },
      body: event.body ?? maskBody(event.data, names),
    })
    return { ...made, is_repeated: false }
  })
  if (!delivered.is_repeated) await requestRuns(deps)
  return delivered
}

/** @throws AppError `rate_limited` when a schedule has had its deliveries of an hour */
export async function assertRoom(trx: Deps['db'], scheduleId: string): Promise<void> {
  const ofHour = await listOfHour(trx, scheduleId, MAX_DELIVERIES_PER_HOUR)
  const oldest = ofHour.at(-1)
  if (!oldest || ofHour.length < MAX_DELIVERIES_PER_HOUR) return
  const retryAfterSeconds = Math.max(1, oldest.seconds_left)
  throw new AppError(
    'rate_limited',
    `This schedule starts at most ${MAX_DELIVERIES_PER_HOUR} times an hour. Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  )
}
