import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>
/** The person and the set of tools of an account. */
export type Whose = { setId: string; userId: string }
export type AccountRow = { id: string; sealed: string; connected_at: Date }

export function findAccount(db: Db, { setId, userId }: Whose): Promise<AccountRow | undefined> {
  return db
    .selectFrom('own_tool_accounts')
    .select(['id', 'sealed', 'connected_at'])
    .where('set_id', '=', setId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Reads the account and locks it until the end of the transaction, so that concurrent token renewals wait. */
export function holdAccount(trx: Db, { setId, userId }: Whose): Promise<AccountRow | undefined> {
  return trx
    .selectFrom('own_tool_accounts')
    .select(['id', 'sealed', 'connected_at'])
    .where('set_id', '=', setId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

/** Stores an account and replaces an existing one. */
export async function keepAccount(db: Db, { setId, userId }: Whose, sealed: string): Promise<void> {
  const row = { id: crypto.randomUUID(), sealed, connected_at: new Date() }
  await db
    .insertInto('own_tool_accounts')
    .values({ set_id: setId, user_id: userId, ...row })
    .onConflict((conflict) => conflict.columns(['set_id', 'user_id']).doUpdateSet(row))
    .execute()
}

export async function writeTokens(trx: Db, id: string, sealed: string): Promise<void> {
  await trx.updateTable('own_tool_accounts').set({ sealed }).where('id', '=', id).execute()
}

export async function removeAccount(db: Db, id: string): Promise<void> {
  await db.deleteFrom('own_tool_accounts').where('id', '=', id).execute()
}

type Which = { run_id: string; key: string }

/** Returns the next request of a person that waits for an account of a set, by run and key; null after the last one. */
export async function findNextWaiting(
  db: Db,
  { setId, userId }: Whose,
  after: Which | null,
): Promise<Which | null> {
  const { rows } = await sql<Which>`
    select run_id, key from input_requests
    where user_id = ${userId} and state = 'waiting' and request ->> 'kind' = 'sign_in'
      and request -> 'tool' ->> 'tool_id' in (select id from own_tools where set_id = ${setId})
      and (${after?.run_id ?? null}::uuid is null or (run_id, key) > (${after?.run_id ?? null}::uuid, ${after?.key ?? ''}))
    order by run_id, key limit 1`.execute(db)
  return rows[0] ?? null
}

/** Disconnects all accounts from a set. */
export async function removeAccounts(trx: Db, setId: string): Promise<void> {
  await trx.deleteFrom('own_tool_accounts').where('set_id', '=', setId).execute()
}

/** Returns the sealed client of an MCP server. */
export async function findClient(db: Db, setId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('own_tool_clients')
    .select('sealed')
    .where('set_id', '=', setId)
    .executeTakeFirst()
  return row?.sealed
}

export async function keepClient(db: Db, setId: string, sealed: string): Promise<void> {
  await db
    .insertInto('own_tool_clients')
    .values({ set_id: setId, sealed })
    .onConflict((conflict) => conflict.column('set_id').doUpdateSet({ sealed }))
    .execute()
}

export async function removeClient(db: Db, setId: string): Promise<void> {
  await db.deleteFrom('own_tool_clients').where('set_id', '=', setId).execute()
}

/** Returns the current and former addresses of a set's calls, up to their third slash. */
export async function listOrigins(db: Db, setId: string, limit: number): Promise<string[]> {
  const origin = sql<string>`substring(v.definition->>'address' from '^https?://[^/?#]+')`
  const rows = await db
    .selectFrom('own_tools as t')
    .innerJoin('own_tool_versions as v', 'v.tool_id', 't.id')
    .select(origin.as('origin'))
    .distinct()
    .where('t.set_id', '=', setId)
    .orderBy('origin')
    .limit(limit)
    .execute()
  return rows.flatMap((row) => (URL.canParse(row.origin) ? [new URL(row.origin).origin] : []))
}
