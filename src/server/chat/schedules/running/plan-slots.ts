import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'
import { dueTimes } from '../rule/due-times.ts'
import { settleMissed } from './due-store.ts'
import { lockToPlan, type Planned, storePlanned, type ToPlan } from './plan-store.ts'

const SCHEDULES_PER_STEP = 200
/** Slots of one schedule per step. A longer downtime takes several steps. */
const SLOTS_PER_STEP = 500

/**
 * Fills the slots of the next day for all schedules that are turned on. Each step also settles missed slots in its commit, so
 * that no process starts one of them.
 */
export async function planSlots(db: Kysely<Tables>, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const count = await db.transaction().execute(async (trx) => {
      const schedules = await lockToPlan(trx, SCHEDULES_PER_STEP)
      if (schedules.length === 0) return 0
      const planned: Planned[] = []
      for (const schedule of schedules) {
        planned.push(plan(schedule))
        await nextTurn()
      }
      await storePlanned(trx, planned)
      await settleMissed(trx)
      return schedules.length
    })
    if (count === 0) return
  }
}

function plan(schedule: ToPlan): Planned {
  const { id, planned_until, horizon } = schedule
  const times = dueTimes(schedule, planned_until, horizon, SLOTS_PER_STEP)
  const isCut = times.length === SLOTS_PER_STEP
  return { id, times, until: (isCut && times.at(-1)) || horizon }
}
