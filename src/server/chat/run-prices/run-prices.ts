import * as contract from '#shared/chat/run-prices/run-prices.ts'
import { actorOf, writeAudit } from '../../identity/audit/audit.ts'
import type { Database } from '../../platform/db/db.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { OnEnd } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { classOf } from './state-price.ts'
import { insertRunPrice, readQuestion, writeQuestion } from './store.ts'

export { priceOfReading, statePrice } from './state-price.ts'

/** Default limit in dollars above which users must confirm. */
const ASKED_ABOVE = 1

/** Serves price estimates: stores the cost of replies, and the limit above which users must confirm. */
export function serveRunPrices(server: Server, { db, clock, engine }: Deps): void {
  engine.onEnd.push(keepPrice(clock))

  serve(server, contract.getPriceQuestion, { handle: async () => ({ above: await findAskedAbove(db) }) })
  serve(server, contract.setPriceQuestion, {
    handle: ({ user, body: { above }, request }) =>
      db.transaction().execute(async (trx) => {
        const found = await writeQuestion(trx, above)
        const before = found ? found.above : ASKED_ABOVE
        if (before === above) return { above }
        const changes = [{ what: 'above', before: inWords(before), after: inWords(above) }]
        const actor = actorOf(user, request)
        const entry = { actor, did: 'price_question.changed' as const, subject: 'price_question' }
        await writeAudit(trx, clock.now(), { ...entry, companyId: null, changes })
        return { above }
      }),
  })
}

/** Returns the limit in dollars above which users confirm a reply; null for never. */
export async function findAskedAbove(db: Database): Promise<number | null> {
  const found = await readQuestion(db)
  return found ? found.above : ASKED_ABOVE
}

const inWords = (above: number | null) => (above === null ? 'never' : String(above))

/**
 * Stores the cost of a reply with its end. Skips replies that do not represent a full one: stopped or failed, continued from a
 * checkpoint, answered by a fallback, or partly without a price.
 */
function keepPrice(clock: Deps['clock']): OnEnd {
  return async ({ run: { id, input, publisher }, state, usage }) => {
    const { price, returned_to, user_id } = input
    if (state !== 'completed' || !price || returned_to !== undefined) return null
    if (usage.unpriced || usage.amount <= 0) return null
    if (publisher.view.blocks.some(({ type }) => type === 'fallback')) return null
    const { low = null, high = null, runs = null } = price.stated ?? {}
    const kept = { ...classOf(input), ...{ low, high, runs }, known: price.known, paid: usage.amount }
    return (trx) => insertRunPrice(trx, user_id, { run_id: id, ...kept, finished_at: clock.now() })
  }
}
