import { randomUUID } from 'node:crypto'
import { keyOf, type Person } from '../access/access.ts'
import { type Reservations, recordUsage } from '../billing/billing.ts'
import type { Usage } from '../models/port.ts'
import type { RagDeps } from './find-passages.ts'
import type { Payer } from './listen.ts'

/** What else is needed to pay for a model call that belongs to no run. */
export type Purse = { reservations: Reservations }

/**
 * Does work whose one model call a person pays for outside of runs: put aside before it, booked when it is done. What fails is not paid.
 * @throws what the work throws; AppError `insufficient_balance`
 */
export async function payDirectly<T>(
  deps: RagDeps & Purse,
  { person, model, signal }: { person: Person; model: string; signal: AbortSignal },
  work: (payer: Payer) => Promise<T>,
): Promise<T> {
  const { db, models, reservations } = deps
  const { id: user_id } = person
  const key_id = keyOf(person)
  const held: string[] = []
  let usage: Usage | null = null
  try {
    const value = await work({
      reserve: async (model_name, call) => {
        const paid = { user_id, key_id, run_id: randomUUID(), model_name, call, signal }
        const id = await reservations.reserve(paid)
        if (id !== null) held.push(id)
      },
      bill: (used) => {
        usage = used
      },
    })
    if (usage !== null) {
      const entry = { user_id, key_id, session_id: null, run_id: null, step_key: null, attempt: 1 }
      const price = await models.price(model, usage)
      const booking = { ...entry, model_name: model, usage, price, reason: 'documents' }
      await db.transaction().execute(async (trx) => {
        await reservations.release(trx, held.splice(0))
        await recordUsage(trx, booking)
      })
    }
    return value
  } finally {
    await reservations.release(db, held)
    reservations.wake(user_id)
  }
}
