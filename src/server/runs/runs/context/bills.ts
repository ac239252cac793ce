import type { Kysely } from 'kysely'
import type { ModelDeps } from '../../../models/model-deps.ts'
import type { Price } from '../../../models/models/models.ts'
import { recordAbsorbed, recordUsage, type UsageEntry } from '../../../money/billing/billing.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { LiveRun } from './live-run.ts'
import type { Bill } from './run-context.ts'

export type PricedBill = Bill & { key: string; price: Price }

/** Looks the prices up, before the transaction that books them. */
export function priceBills({ models }: Pick<ModelDeps, 'models'>) {
  return async (bills: ReadonlyMap<string, Bill[]>): Promise<PricedBill[]> => {
    const open = [...bills].flatMap(([key, list]) =>
      list.map((bill) => ({ ...bill, key: keyOf(key, list, bill) })),
    )
    return Promise.all(
      open.map(async (bill) => ({ ...bill, price: await models.price(bill.model_name, bill.usage) })),
    )
  }
}

/** A step is booked under its key; a second call inside it under a key of its own. */
function keyOf(key: string, list: Bill[], bill: Bill): string {
  const index = list.filter(({ isLost }) => !isLost).indexOf(bill)
  return index > 0 ? `${key}#${index + 1}` : key
}

/** Books what committed steps used; the person pays once per step. */
export async function bookUsage(trx: Kysely<Tables>, run: LiveRun, bills: PricedBill[]): Promise<void> {
  for (const bill of bills) {
    if (bill.isLost) await recordAbsorbed(trx, toEntry(run, bill))
    else await recordUsage(trx, toEntry(run, bill))
  }
}

/** Books what a failed or lost attempt cost, at the installation's own expense. */
export async function bookAbsorbed(trx: Kysely<Tables>, run: LiveRun, bills: PricedBill[]): Promise<void> {
  for (const bill of bills) await recordAbsorbed(trx, toEntry(run, bill))
}

function toEntry(run: LiveRun, { key, isLost, ...bill }: PricedBill): UsageEntry {
  const run_id = run.id
  const { standalone, user_id, key_id, assistant } = run.input
  const session_id = standalone ? standalone.session_id : run.sessionId
  const attempt = isLost ? run.attempt - 1 : run.attempt
  return { ...bill, user_id, key_id, assistant_id: assistant?.id, session_id, run_id, step_key: key, attempt }
}
