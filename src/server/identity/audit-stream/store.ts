import { type Kysely, type Selectable, sql } from 'kysely'
import type { AuditStream } from '#shared/identity/audit-stream/audit-stream.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { kindOf } from './receiver.ts'

type Db = Kysely<Tables>
export type StreamRow = Selectable<Tables['audit_stream']>

/** Seconds that a process may send before it renews its lease. Longer than one attempt. */
const LEASE_SECONDS = 60

export async function findStream(db: Db): Promise<StreamRow | null> {
  return (await db.selectFrom('audit_stream').selectAll().limit(1).executeTakeFirst()) ?? null
}

/** Returns the stream with what waits for its receiver; null without one. */
export async function findState(db: Db): Promise<AuditStream | null> {
  const row = await findStream(db)
  if (!row) return null
  // Numbers are consecutive, so nothing has to be counted.
  const { rows } = await sql<{ last: number; since: Date | null }>`
    select coalesce(max(id), 0)::float8 as last,
      (select at from audit_entries where id > ${row.sent_to} order by id limit 1) as since from audit_entries`.execute(
    db,
  )
  const { last = 0, since = null } = rows[0] ?? {}
  const { address, is_on, error } = row
  return {
    ...{ kind: kindOf(address), address, is_on, sent_to: Number(row.sent_to), error },
    sent_at: row.sent_at?.toISOString() ?? null,
    ...{ waiting: since ? last - Number(row.sent_to) : 0, waiting_since: since?.toISOString() ?? null },
    failing_since: row.failing_since?.toISOString() ?? null,
    next_at: error === null ? null : row.next_at.toISOString(),
  }
}

type NewStream = { address: string; secret: string; is_on: boolean; starts: 'oldest' | 'newest'; now: Date }

/** Adds the stream. Returns false when there is one. */
export async function insertStream(trx: Db, { starts, now, ...row }: NewStream): Promise<boolean> {
  // Before the oldest entry: the number of the first one that still exists.
  const { rows } = await sql`insert into audit_stream (address, secret, is_on, next_at, sent_to)
    select ${row.address}, ${row.secret}, ${row.is_on}, ${now}, coalesce(case when ${starts} = 'newest' then max(id) else min(id) - 1 end, 0)
    from audit_entries on conflict do nothing returning only_row`.execute(trx)
  return rows.length > 0
}

type Change = Partial<Pick<StreamRow, 'address' | 'is_on' | 'secret' | 'previous_secret' | 'previous_until'>>

/** Changes the stream, which tries again now. */
export async function changeStream(trx: Db, change: Change, now: Date): Promise<void> {
  const fresh = { next_at: now, failures: 0, error: null, failing_since: null }
  await trx
    .updateTable('audit_stream')
    .set({ ...change, ...fresh, revision: sql`revision + 1` })
    .execute()
}

export async function deleteStream(trx: Db): Promise<void> {
  await trx.deleteFrom('audit_stream').execute()
}

/** Takes or renews the lease. Returns the stream, or null while another process has it, and when it is off or absent. */
export async function takeStream(db: Db, holder: string): Promise<StreamRow | null> {
  const { rows } = await sql<StreamRow>`
    update audit_stream set holder = ${holder}, held_until = clock_timestamp() + ${LEASE_SECONDS} * interval '1 second'
    where is_on and (holder is null or holder = ${holder} or held_until < clock_timestamp()) returning *`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Lets another process send. */
export async function leaveStream(db: Db, holder: string): Promise<void> {
  await sql`update audit_stream set holder = null, held_until = null where holder = ${holder}`.execute(db)
}

/** Stores that the receiver has everything up to an entry. Returns false when the stream was changed or taken over meanwhile. */
export async function confirmEntries(
  db: Db,
  { holder, revision, sent_to }: StreamRow,
  last: number,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('audit_stream')
    .set({ sent_to: last, sent_at: now, next_at: now, failures: 0, error: null, failing_since: null })
    .where('holder', '=', holder)
    .where('revision', '=', revision)
    .where('sent_to', '=', sent_to)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores why an attempt failed, and when the next one begins. */
export async function noteFailure(
  db: Db,
  { holder, revision }: StreamRow,
  { error, now, next_at }: { error: string; now: Date; next_at: Date },
): Promise<void> {
  await sql`update audit_stream set error = ${error}, failures = failures + 1, next_at = ${next_at},
    failing_since = coalesce(failing_since, ${now}) where holder = ${holder} and revision = ${revision}`.execute(
    db,
  )
}
