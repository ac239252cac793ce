import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** State of a call that holds the only slot of its provider or waits for it. */
export type SlotState = {
  is_running: boolean
  /** Number of calls ahead, including the running one. Background calls are ahead of background calls only. */
  ahead: number
  /** True if a person waits for the slot that this background call holds. */
  is_wanted: boolean
}

/** Idle time before background calls start, because a run may be between two of its calls. */
const IDLE_MS = 1_500
/** Time without a heartbeat after which the calls of a process no longer count. */
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

/** Ends a call. A person's call stays for a moment, because the next call of the same run may follow. */
export async function leaveSlot(db: Db, id: string): Promise<void> {
  await sql`
    with gone as (delete from model_slot_calls where id = ${id}::bigint and (is_background or state = 'waiting') returning id)
    update model_slot_calls set state = 'ended', seen_at = clock_timestamp()
    where id = ${id}::bigint and not exists (select from gone)`.execute(db)
}
