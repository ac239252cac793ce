import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** A call that has the only slot of its provider, or waits for it. */
export type SlotState = {
  is_running: boolean
  /** Calls before this one, with the one that runs; background calls count only for each other. */
  ahead: number
  /** A person waits for the slot that this background call has. */
  is_wanted: boolean
}

/** Milliseconds without another call after which background calls start: a run may be between two of its calls. */
const IDLE_MS = 1_500
/** Milliseconds after which the calls of a process that fell silent count no more. */
const SILENT_MS = 20_000

/** Puts a call into the queue of a provider and returns its id. */
export async function joinSlot(
  db: Db,
  call: { provider: string; person: string; is_background: boolean },
): Promise<string> {
  const { provider, person, is_background } = call
  const { rows } = await sql<{ id: string }>`
    select join_slot(${provider}, ${person}, ${is_background})::text as id limit 1`.execute(db)
  return rows[0]?.id ?? ''
}

/** Starts a call when it is its turn. Returns null when the queue no longer knows it. */
export async function trySlot(db: Db, provider: string, id: string): Promise<SlotState | null> {
  const { rows } = await sql<SlotState>`
    select is_running, ahead, is_wanted from try_slot(${provider}, ${id}::bigint, ${IDLE_MS}::int, ${SILENT_MS}::int)
    limit 1`.execute(db)
  return rows[0] ?? null
}

/** Ends a call. That of a person is remembered for a moment, because the next one of its run may follow. */
export async function leaveSlot(db: Db, id: string): Promise<void> {
  await sql`
    with gone as (delete from model_slot_calls where id = ${id}::bigint and (is_background or state = 'waiting') returning id)
    update model_slot_calls set state = 'ended', seen_at = clock_timestamp()
    where id = ${id}::bigint and not exists (select from gone)`.execute(db)
}
