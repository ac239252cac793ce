import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>
/** Whose account, for which set of tools. */
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

/** The same, held until the end of the transaction: of two that get a new token the second waits. */
export function holdAccount(trx: Db, { setId, userId }: Whose): Promise<AccountRow | undefined> {
  return trx
    .selectFrom('own_tool_accounts')
    .select(['id', 'sealed', 'connected_at'])
    .where('set_id', '=', setId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

/** Connects an account in place of any that was there. */
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

/** Nobody's account is connected to a set any more. */
export async function removeAccounts(trx: Db, setId: string): Promise<void> {
  await trx.deleteFrom('own_tool_accounts').where('set_id', '=', setId).execute()
}

/** The sealed client of an MCP server. */
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

/** The addresses that the calls of a set go to or went to, as far as their third slash. */
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
