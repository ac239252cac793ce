import { type Kysely, sql } from 'kysely'
import type { AccountKind } from '#shared/tools/actions/personal-accounts.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type Whose = { userId: string; kind: AccountKind }
export type StoredAccount = { kind: AccountKind; address: string; sealed: string; connected_at: Date }

const columns = sql`a.kind, a.address, a.sealed, a.connected_at`

/** Returns the accounts of a person in the order in which they connected them; none of a deactivated one. */
export async function listAccounts(db: Db, userId: string): Promise<StoredAccount[]> {
  const { rows } = await sql<StoredAccount>`select ${columns} from personal_accounts a
    join users u on u.id = a.user_id and u.deactivated_at is null
    where a.user_id = ${userId} order by a.connected_at, a.kind limit 10`.execute(db)
  return rows
}

export async function findAccount(db: Db, { userId, kind }: Whose): Promise<StoredAccount | undefined> {
  return (await listAccounts(db, userId)).find((one) => one.kind === kind)
}

/** Returns the account and locks it until the end of the transaction. */
export async function holdAccount(trx: Db, { userId, kind }: Whose): Promise<StoredAccount | undefined> {
  const { rows } = await sql<StoredAccount>`select ${columns} from personal_accounts a
    where a.user_id = ${userId} and a.kind = ${kind} for update`.execute(trx)
  return rows[0]
}

/** Stores an account and replaces an existing one of its kind. */
export async function keepAccount(
  trx: Db,
  { userId, kind }: Whose,
  { address, sealed, now }: { address: string; sealed: string; now: Date },
): Promise<void> {
  await sql`insert into personal_accounts (user_id, kind, address, sealed, connected_at)
    values (${userId}, ${kind}, ${address}, ${sealed}, ${now})
    on conflict (user_id, kind) do update set address = excluded.address, sealed = excluded.sealed,
      connected_at = excluded.connected_at`.execute(trx)
}

/** Stores tokens after a renewal. */
export async function writeSealed(trx: Db, { userId, kind }: Whose, sealed: string): Promise<void> {
  await sql`update personal_accounts set sealed = ${sealed} where user_id = ${userId} and kind = ${kind}`.execute(
    trx,
  )
}

/** Returns whether there was one. */
export async function removeAccount(trx: Db, { userId, kind }: Whose): Promise<boolean> {
  const { rows } = await sql`delete from personal_accounts where user_id = ${userId} and kind = ${kind}
    returning kind`.execute(trx)
  return rows.length > 0
}

/** The account that a call acts with, null for an unknown one, and what it prepared there, null for nothing. */
export type Begun = { kind: AccountKind | null; handle: string | null }

/** Returns how far a call had come; undefined when it had not begun to act. */
export async function findBegun(db: Db, executionId: string): Promise<Begun | undefined> {
  const { rows } = await sql<Begun>`select kind, handle from outside_actions
    where execution_id = ${executionId}`.execute(db)
  return rows[0]
}

export async function keepBegun(
  db: Db,
  { executionId, userId }: { executionId: string; userId: string },
  { kind, handle }: Begun,
  now: Date,
): Promise<void> {
  await sql`insert into outside_actions (execution_id, user_id, kind, handle, written_at)
    values (${executionId}, ${userId}, ${kind}, ${handle}, ${now})
    on conflict (execution_id) do update set kind = excluded.kind, handle = excluded.handle,
      written_at = excluded.written_at`.execute(db)
}
