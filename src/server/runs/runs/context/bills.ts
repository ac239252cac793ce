import type { Kysely } from 'kysely'
import type { ModelDeps } from '../../../models/model-deps.ts'
import type { Price } from '../../../models/models/models.ts'
import { recordAbsorbed, recordUsage, type UsageEntry } from '../../../money/billing/billing.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { LiveRun } from './live-run.ts'
import type { Bill } from './run-context.ts'

export type PricedBill = Bill & { key: string; price: Price }

/** Returns a function that prices bills before the booking transaction starts. */
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

/** Returns the booking key of a bill: the step's key, with a suffix from the second call on. */
function keyOf(key: string, list: Bill[], bill: Bill): string {
  const index = list.filter(({ isLost }) => !isLost).indexOf(bill)
  return index > 0 ? `${key}#${index + 1}` : key
}

/** Books the usage of committed steps. The user pays once per step. */
export async function bookUsage(trx: Kysely<Tables>, run: LiveRun, bills: PricedBill[]): Promise<void> {
  for (const bill of bills) {
    if (bill.isLost) await recordAbsorbed(trx, toEntry(run, bill))
    else await recordUsage(trx, toEntry(run, bill))
  }
}

/** Books the cost of a failed or lost attempt at the installation's expense. */
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
