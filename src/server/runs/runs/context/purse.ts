import type { Kysely } from 'kysely'
import type { Reservations } from '../../../money/billing/billing.ts'
import type { Thing } from '../../../platform/access/access.ts'
import type { Database } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { LiveRun } from './live-run.ts'
import type { Leaf, RunInput } from './run-context.ts'

/** The reservations of one step for its model calls. */
type Purse = {
  reserve: Leaf['reserve']
  /** Releases them within the transaction that books the usage. */
  settle: (trx: Kysely<Tables>) => Promise<void>
  /** Releases them immediately, so that another amount can be reserved. */
  giveBack: () => Promise<void>
  /** Runs the step's work and releases the reservations when it fails. */
  whileOpen: <T>(work: () => Promise<T>) => Promise<T>
}

export function createPurse(deps: { db: Database; reservations: Reservations }, run: LiveRun): Purse {
  const { db, reservations } = deps
  const { user_id, key_id, assistant } = run.input
  const things = thingsOf(run.input)
  const held: string[] = []
  return {
    reserve: async (model_name, call) => {
      const { signal } = run.abort
      const isLeaving = () => run.ending !== null
      const payer = { user_id, key_id, assistant_id: assistant?.id, run_id: run.rootId, things }
      const paid = { ...payer, model_name, call, signal, isLeaving }
      const id = await reservations.reserve(paid)
      if (id !== null) held.push(id)
    },
    giveBack,
    settle: (trx) => reservations.release(trx, held),
    whileOpen: async (work) => {
      try {
        const value = await work()
        reservations.wake(user_id)
        return value
      } catch (error) {
        // A stopped run is billed for its partial result at its end; the reservation stays until then.
        if (run.ending !== 'stop') await giveBack()
        throw error
      }
    },
  }

  /** Releases the reservations. On an error they end with the run or with this process. */
  async function giveBack(): Promise<void> {
    if (held.length === 0) return
    await reservations.release(db, held).catch(() => undefined)
    held.length = 0
    reservations.wake(user_id)
  }
}

/** Returns what a run needs access to besides its model. Losing access ends the run at its next call. */
function thingsOf({ agent_type, assistant, key_id, visitor }: RunInput): Thing[] {
  return [
    ...(assistant ? [{ kind: 'assistant' as const, id: assistant.id }] : []),
    ...(agent_type === 'deep_research' ? [{ kind: 'feature' as const, id: 'deep_research' }] : []),
    ...(visitor ? [{ kind: 'feature' as const, id: 'embeds' }] : []),
    ...(key_id && !visitor ? [{ kind: 'feature' as const, id: 'api_keys' }] : []),
  ]
}
