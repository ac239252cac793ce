import { type Kysely, sql } from 'kysely'
import type { Tables } from '../db/tables.ts'

type Db = Kysely<Tables>

/** Seconds that a process may read the mailbox before it renews its lease. */
const LEASE_SECONDS = 90

/** Takes or renews the lease on the mailbox, also that of a dead process. Returns false while another process has it. */
export async function takeMailbox(db: Db, holder: string, dead: string | null = null): Promise<boolean> {
  const { rows } = await sql`
    insert into mailbox_state as s (holder, held_until)
    values (${holder}, clock_timestamp() + ${LEASE_SECONDS} * interval '1 second')
    on conflict (only_row) do update set holder = excluded.holder, held_until = excluded.held_until
    where s.holder in (excluded.holder, ${dead}::uuid) or s.held_until < clock_timestamp()
    returning holder`.execute(db)
  return rows.length > 0
}

/** Returns the process that reads the mailbox, or did so last; null before the first one. */
export async function findHolder(db: Db): Promise<string | null> {
  const { rows } = await sql<{ holder: string }>`select holder from mailbox_state limit 1`.execute(db)
  return rows[0]?.holder ?? null
}

/** Lets another process read the mailbox. */
export async function leaveMailbox(db: Db, holder: string): Promise<void> {
  await sql`update mailbox_state set held_until = clock_timestamp() where holder = ${holder}`.execute(db)
}

/** Notes that all mails were read, or with `error` why not. */
export async function noteReading(db: Db, holder: string, error: string | null): Promise<void> {
  await sql`update mailbox_state set error = ${error},
    read_at = case when ${error}::text is null then clock_timestamp() else read_at end
    where holder = ${holder}`.execute(db)
}

export type Reading = { error: string | null; read_seconds_ago: number | null }

/** Returns how the last reading went; null before the first one. */
export async function findReading(db: Db): Promise<Reading | null> {
  const { rows } = await sql<Reading>`select error,
    extract(epoch from clock_timestamp() - read_at)::float8 as read_seconds_ago from mailbox_state limit 1`.execute(
    db,
  )
  return rows[0] ?? null
}
