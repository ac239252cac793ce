import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

/** Cursor into a ledger: the last entry above, its time as text, and the balance before it. */
export type Above = { id: string; at: string; before: string }

type Stretch = { ids: string[]; oldest: Date; above?: Above | undefined }

/**
 * Returns the balance before and after each of these entries of a user, as text. It reads the entries in between, but
 * nothing older: the earlier balance follows from the stored one.
 */
export async function findRunningBalances(
  db: Kysely<Tables>,
  userId: string,
  { ids, oldest, above }: Stretch,
): Promise<Map<string, { balance: number; before: string }>> {
  const top = above
    ? sql`${above.before}::numeric`
    : sql`coalesce((select balance from user_balances where user_id = ${userId}), 0)`
  const { rows } = await sql<{ id: string; balance: number; before: string }>`
    select id, balance, (balance - amount)::text as before from (
      select id, amount, ${top} - coalesce(sum(amount) over (
        order by created_at desc, id rows between unbounded preceding and 1 preceding), 0) as balance
      from ledger_entries
      where user_id = ${userId} and created_at >= ${oldest} and ${above ? isBelow(above) : sql`true`}
    ) entry where id = any(${ids})`.execute(db)
  return new Map(rows.map(({ id, ...found }) => [id, found]))
}

/** Orders newest first, then by id. The time is text, which preserves microseconds. */
export function isBelow({ at, id }: Pick<Above, 'at' | 'id'>) {
  return sql<boolean>`(ledger_entries.created_at < ${at}::timestamptz
    or (ledger_entries.created_at = ${at}::timestamptz and ledger_entries.id > ${id}))`
}
