import type { Insertable } from 'kysely'
import { type Kysely, sql } from 'kysely'
import type { LedgerEntry } from '#shared/money/billing/billing.ts'
import { isPresent } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { findRunningBalances } from './balance-store.ts'
import { isEntry, type LedgerFilter } from './usage-store.ts'

/** A transaction or the database. */
export type Executor = Kysely<Tables>

type Kept = { balance: number; entries: number }

/** Returns a user's balance in dollars and the number of ledger entries. */
export async function findBalance(db: Executor, userId: string): Promise<Kept> {
  const row = await db
    .selectFrom('user_balances')
    .select(['balance', 'entries'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? { balance: 0, entries: 0 }
}

/** Returns the usage in the month (UTC) of a time. */
export async function findMonth(db: Executor, userId: string, at: Date) {
  const row = await db
    .selectFrom('user_months')
    .select(['amount', 'input_tokens', 'output_tokens', 'calls'])
    .where('user_id', '=', userId)
    .where('month', '=', sql<string>`${`${at.toISOString().slice(0, 7)}-01`}::date`)
    .executeTakeFirst()
  return row ?? { amount: 0, input_tokens: 0, output_tokens: 0, calls: 0 }
}

/** Returns a page of a user's filtered entries, newest first. Skipped ones are skipped in the index. */
export async function listEntries(
  db: Executor,
  userId: string,
  { skip, limit, ...filter }: LedgerFilter & { skip: number; limit: number },
): Promise<LedgerEntry[]> {
  const page = db
    .selectFrom('ledger_entries')
    .select(['id', 'created_at'])
    .where(isEntry(userId, filter))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(skip)
  const rows = await db
    .selectFrom(page.as('page'))
    .innerJoin('ledger_entries as entry', 'entry.id', 'page.id')
    .leftJoin('sessions as session', (join) =>
      join
        .onRef('session.id', '=', 'entry.session_id')
        .on(isPresent('session', 'session'))
        .on('session.origin', '<>', 'temporary'),
    )
    .select(['entry.id', 'entry.amount', 'entry.kind', 'entry.reason', 'entry.model_name'])
    .select(['session.id as session_id', 'session.title as session_title'])
    .select(['entry.input_tokens', 'entry.output_tokens', 'entry.unpriced', 'entry.estimated'])
    .select('entry.created_at')
    .orderBy('page.created_at', 'desc')
    .orderBy('page.id')
    .execute()
  const oldest = rows.at(-1)
  if (!oldest) return []
  const ids = rows.map(({ id }) => id)
  const found = await findRunningBalances(db, userId, { ids, oldest: oldest.created_at })
  return rows.map((row) => ({
    ...row,
    balance: found.get(row.id)?.balance ?? 0,
    created_at: row.created_at.toISOString(),
  }))
}

export type Booking = { user_id: string; amount: number; reason: string }

/** Books a payment or a correction. */
export async function insertTopUp(db: Executor, { amount, ...booking }: Booking): Promise<void> {
  const kind = amount < 0 ? 'correction' : 'top_up'
  await db
    .insertInto('ledger_entries')
    .values({ ...booking, amount, kind })
    .execute()
}

export type Reservation = {
  id: string
  user_id: string
  instance_id: string
  run_id: string
  /** In dollars, above 0. */
  amount: number
}
type Outcome = 'reserved' | 'busy' | 'empty'

/** Reserves an amount. Returns `busy` when active calls have reserved the remainder, `empty` when nothing is left. */
export async function tryReserve(
  db: Executor,
  { id, user_id, instance_id, run_id, amount }: Reservation,
): Promise<Outcome> {
  const { rows } = await sql<{ outcome: Outcome }>`
    select reserve_balance(${id}, ${user_id}, ${instance_id}, ${run_id}, ${amount}) as outcome`.execute(db)
  return rows[0]?.outcome ?? 'empty'
}

/** Reserves within the monthly budget of an API key or embedded assistant; `kind` tells which. */
export async function tryReserveForKey(
  db: Executor,
  { id, key_id, instance_id, run_id, amount }: Omit<Reservation, 'user_id'> & { key_id: string },
): Promise<{ outcome: Outcome; kind: 'key' | 'embed' }> {
  const { rows } = await sql<{ outcome: Outcome; kind: 'key' | 'embed' | null }>`
    select reserve_for_key(${id}, ${key_id}, ${instance_id}, ${run_id}, ${amount}) as outcome,
      (select kind from access_keys where id = ${key_id}) as kind`.execute(db)
  // A deleted key has nothing to wait for.
  return { outcome: rows[0]?.outcome ?? 'empty', kind: rows[0]?.kind ?? 'embed' }
}

export async function releaseReservations(db: Executor, ids: readonly string[]): Promise<void> {
  await sql`select release_reservations(${ids}::uuid[])`.execute(db)
}

/** Ends the reservations of a run and its sub-runs. */
export async function releaseRunReservations(db: Executor, runId: string): Promise<void> {
  await sql`
    select release_reservations(array(
      select id from balance_reservations where run_id = ${runId}
      union select id from key_reservations where run_id = ${runId}
      union select id from budget_reservations where run_id = ${runId}))
  `.execute(db)
}

/** Ends a run's reservations when only budgets are used. */
export async function releaseRunBudgets(db: Executor, runId: string): Promise<void> {
  await sql`
    with keys as (delete from key_reservations where run_id = ${runId} returning id),
      budgets as (delete from budget_reservations where run_id = ${runId} returning id)
    select pg_notify('atrium_balance', 'everybody') from (select from keys union all select from budgets) freed
    where exists (select from runs where state = 'paused' and paused_for = 'budget') limit 1`.execute(db)
}

type Place = { session_id: string | null; run_id: string | null }

/**
 * Locks the session and run of a call until the transaction ends. Returns null for a deleted chat, like earlier ledger
 * entries of it.
 */
export async function holdPlace(trx: Executor, { session_id, run_id }: Place): Promise<Place> {
  const session = await hold(trx, 'sessions', session_id)
  return { session_id: session, run_id: await hold(trx, 'runs', run_id) }
}

async function hold(trx: Executor, table: 'sessions' | 'runs', id: string | null): Promise<string | null> {
  if (id === null) return null
  const row = await trx.selectFrom(table).select('id').where('id', '=', id).forKeyShare().executeTakeFirst()
  return row?.id ?? null
}

type Entry = Omit<Insertable<Tables['ledger_entries']>, 'kind'>

/** Inserts a step's usage once, even if repeated. */
export async function insertUsage(db: Executor, entry: Entry): Promise<void> {
  await db
    .insertInto('ledger_entries')
    .values({ ...entry, kind: 'usage' })
    .onConflict((conflict) =>
      conflict.columns(['run_id', 'step_key']).where('kind', '=', 'usage').doNothing(),
    )
    .execute()
}

export async function insertAbsorbed(db: Executor, entry: Omit<Entry, 'amount'>): Promise<void> {
  await db
    .insertInto('ledger_entries')
    .values({ ...entry, kind: 'absorbed', amount: 0 })
    .execute()
}

/** Inserts an account's starting balance once. */
export async function insertStart(db: Executor, userId: string, amount: number): Promise<void> {
  await db
    .insertInto('ledger_entries')
    .values({ user_id: userId, kind: 'start', amount, reason: 'Starting balance' })
    .onConflict((conflict) => conflict.column('user_id').where('kind', '=', 'start').doNothing())
    .execute()
}
