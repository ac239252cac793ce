import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

/** Where a stretch of a ledger goes on: the last entry above it, its time as text, and the balance before it. */
export type Above = { id: string; at: string; before: string }

type Stretch = { ids: string[]; oldest: Date; above?: Above | undefined }

/**
 * The balance after each of these entries of a user, and before it as text. What lies between them counts, whether it is
 * asked for or not, and nothing older is read: what was there before follows from the balance that is kept.
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

/** Newest first, equal times by id; the time as text, which keeps its microseconds. */
export function isBelow({ at, id }: Pick<Above, 'at' | 'id'>) {
  return sql<boolean>`(ledger_entries.created_at < ${at}::timestamptz
    or (ledger_entries.created_at = ${at}::timestamptz and ledger_entries.id > ${id}))`
}
