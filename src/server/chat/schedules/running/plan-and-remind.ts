import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'
import { sendReminders, settleMissed } from './due-store.ts'
import { planSlots } from './plan-slots.ts'

const REMINDERS_PER_STEP = 200

/** Plans the slots of the next day, settles missed ones, and sends due reminders. */
export async function planAndRemind(db: Kysely<Tables>, signal: AbortSignal): Promise<void> {
  await planSlots(db, signal)
  await settleMissed(db)
  while ((await sendReminders(db, REMINDERS_PER_STEP)) > 0) signal.throwIfAborted()
}
