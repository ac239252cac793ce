import type { Kysely } from 'kysely'
import type { Paying } from '../../models/models/asking/stand-in.ts'
import type { Grants } from '../../platform/access/access.ts'
import type { Database } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Reservations } from './reservations.ts'

type Deps = { db: Database; grants: Pick<Grants, 'closedTo'>; reservations: Reservations }
type Payer = { user_id: string; key_id?: string | undefined; run_id: string; signal: AbortSignal }

/** The reservation of a model call outside of a run's steps. */
export type CallPurse = Paying & {
  /** Releases it within the transaction that books the usage. */
  settle: (trx: Kysely<Tables>) => Promise<void>
  /** Releases the remaining reservation and wakes waiting calls. */
  close: () => Promise<void>
}

export function createCallPurse({ db, grants, reservations }: Deps, payer: Payer): CallPurse {
  const held: string[] = []
  const settle = (within: Kysely<Tables>) => reservations.release(within, held.splice(0))
  return {
    isOpen: async (id) => !(await grants.closedTo(payer.user_id)).has('model', id),
    reserve: async (model_name, call) => {
      const id = await reservations.reserve({ ...payer, model_name, call })
      if (id !== null) held.push(id)
    },
    giveBack: () => settle(db),
    settle,
    close: async () => {
      await settle(db)
      reservations.wake(payer.user_id)
    },
  }
}
