import * as contract from '#shared/chat/run-prices/run-prices.ts'
import { actorOf, writeAudit } from '../../identity/audit/audit.ts'
import type { Database } from '../../platform/db/db.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { OnEnd } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { classOf } from './state-price.ts'
import { insertRunPrice, readQuestion, writeQuestion } from './store.ts'

export { priceOfReading, statePrice } from './state-price.ts'

/** Dollars. People are asked above it until an administrator says otherwise. */
const ASKED_ABOVE = 1

/** What replies cost, kept to say beforehand what the next one will; and from which price on people are asked. */
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

/** From which price on people are asked before a reply begins, in dollars; null: they never are. */
export async function findAskedAbove(db: Database): Promise<number | null> {
  const found = await readQuestion(db)
  return found ? found.above : ASKED_ABOVE
}

const inWords = (above: number | null) => (above === null ? 'never' : String(above))

/**
 * Keeps what a reply cost together with its end. One that was stopped or failed says nothing of what a whole one costs, nor does one that
 * goes on from a checkpoint, that another model had to answer, or of which a part has no price.
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
