import type { Kysely } from 'kysely'
import type { Payment } from '#shared/money/payments/payments.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Returns a page of a user's payments, newest first. Paid amounts come from the ledger. */
export async function findPayments(
  db: Db,
  userId: string,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ items: Payment[]; total: number }> {
  const rows = await db
    .selectFrom('payments')
    .leftJoin('ledger_entries as entry', 'entry.payment_id', 'payments.id')
    .select(['payments.id', 'state', 'invoice_number', 'invoice_url', 'payments.created_at', 'paid_at'])
    .select(({ fn }) => fn.coalesce('entry.amount', 'payments.amount').as('amount'))
    .where('payments.user_id', '=', userId)
    .orderBy('payments.created_at', 'desc')
    .orderBy('payments.id')
    .limit(limit)
    .offset(skip)
    .execute()
  const { count } = await db
    .selectFrom('payments')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const items = rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    paid_at: row.paid_at?.toISOString() ?? null,
  }))
  return { items, total: Number(count) }
}

export async function insertPayment(db: Db, user_id: string, amount: number): Promise<string> {
  const row = await db
    .insertInto('payments')
    .values({ user_id, amount })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Stores Stripe's id of a payment. */
export async function nameCheckout(db: Db, id: string, checkout_id: string): Promise<void> {
  await db.updateTable('payments').set({ checkout_id }).where('id', '=', id).execute()
}

/** Stores an event id. Returns false when it was seen before. */
export async function noteEvent(trx: Db, id: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('payment_events')
    .values({ id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Locks and returns a payment. */
export async function lockPayment(trx: Db, id: string) {
  return trx
    .selectFrom('payments')
    .select(['id', 'user_id', 'amount', 'state', 'checkout_id'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Books a payment to its user's balance. */
export async function bookPayment(
  trx: Db,
  { id, user_id, amount }: { id: string; user_id: string; amount: number },
  now: Date,
): Promise<void> {
  await trx.updateTable('payments').set({ state: 'paid', paid_at: now }).where('id', '=', id).execute()
  await trx
    .insertInto('ledger_entries')
    .values({ user_id, kind: 'top_up', amount, reason: 'card', payment_id: id })
    .execute()
}

/** Marks a payment as ended without a booking. */
export async function endPayment(trx: Db, id: string): Promise<void> {
  await trx
    .updateTable('payments')
    .set({ state: 'ended' })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute()
}

export async function keepInvoice(
  trx: Db,
  id: string,
  { number, url }: { number: string | null; url: string | null },
): Promise<void> {
  // Users follow this link, so only Stripe's https pages are accepted.
  const isLink = url?.startsWith('https://') && url.length <= 2000
  await trx
    .updateTable('payments')
    .set({ invoice_number: number?.slice(0, 100) ?? null, invoice_url: isLink ? url : null })
    .where('id', '=', id)
    .execute()
}
