import { randomUUID } from 'node:crypto'
import { withOrigin } from '../../models/masking/masking.ts'
import type { Usage } from '../../models/models/port.ts'
import { createCallPurse, type Reservations, recordUsage } from '../../money/billing/billing.ts'
import { keyOf, type Person } from '../../platform/access/access.ts'
import type { RagDeps } from './find-passages.ts'
import type { Payer } from './listen.ts'

/** Extra dependencies for paying outside of runs. */
export type Purse = { reservations: Reservations }

/**
 * Runs work whose model call a user pays for outside of runs: reserves before the call and books after it. Failed work is not charged.
 * @throws what the work throws; AppError `insufficient_balance`
 */
export async function payDirectly<T>(
  deps: RagDeps & Purse,
  { person, signal }: { person: Person; signal: AbortSignal },
  work: (payer: Payer) => Promise<T>,
): Promise<T> {
  const { db, models } = deps
  const { id: user_id } = person
  const key_id = keyOf(person)
  const purse = createCallPurse(deps, { user_id, key_id, run_id: randomUUID(), signal })
  const used: { usage: Usage; model: string }[] = []
  try {
    const payer: Payer = { ...purse, bill: (usage, model) => used.push({ usage, model }) }
    const value = await withOrigin({ user_id, session_id: null, message_id: null }, () => work(payer))
    for (const { usage, model } of used) {
      const entry = { user_id, key_id, session_id: null, run_id: null, step_key: null, attempt: 1 }
      const price = await models.price(model, usage)
      const booking = { ...entry, model_name: model, usage, price, reason: 'documents' }
      await db.transaction().execute(async (trx) => {
        await purse.settle(trx)
        await recordUsage(trx, booking)
      })
    }
    return value
  } finally {
    await purse.close()
  }
}
