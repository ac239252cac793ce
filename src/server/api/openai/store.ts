import type { Insertable, Kysely } from 'kysely'
import { sql } from 'kysely'
import { COMPLETION_KEY, type Completed } from '../../chat/agents/agents.ts'
import type { Refusal } from '../../models/models/adapting/refusal-class.ts'
import { grownBy } from '../../money/storage/storage.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Completion } from '../../runs/runs/runs.ts'

/** Retention of program calls, for callers that return for the answer. */
const KEPT_DAYS = 30
/** Retention of calls that are not to be stored, for those whose process ended before it deleted them. */
const UNSTORED_HOURS = 1

/** Inserts a chat unless its id exists. Returns whether it was inserted. */
export async function insertProgramChat(
  db: Kysely<Tables>,
  session: Insertable<Tables['sessions']>,
): Promise<boolean> {
  const made = await db
    .insertInto('sessions')
    .values({ ...session, origin: 'program', title_source: 'user' })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return (made.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export type CallRow = {
  id: string
  session_id: string
  message_id: string
  state: string
  paused_for: 'request' | 'balance' | 'budget' | null
  agent_type: string
  error: { code?: string; detail?: string; refusal?: Refusal } | null
  asked_model: string
  content: string
  /** How the text of an assistant ended. */
  ended: 'stop' | 'length' | 'content_filter'
  created_at: Date
  completed: Completed | null
  usage: { input_tokens: number; output_tokens: number } | null
  kept: CallFacts
}

/** Facts about a call, stored besides its request. */
export type CallFacts = {
  /** Number of leading messages, such as instructions, that later responses do not continue. */
  leading?: number
  previous_response_id?: string
  /** False when the response is deleted once it is sent. */
  store?: boolean
}

/** Returns a user's program call by the id of its chat. */
export async function findCall(
  db: Kysely<Tables>,
  userId: string,
  sessionId: string,
): Promise<CallRow | null> {
  const { rows } = await sql<CallRow>`
    select run.id, run.session_id, run.message_id, run.state, run.paused_for, run.agent_type, run.error, run.created_at,
      session.title as asked_model, session.session_metadata as kept, message.content, message.metadata -> 'usage' as usage,
      coalesce((select case when block -> 'is_cut' = 'true' then 'length'
          when block -> 'is_filtered' = 'true' then 'content_filter' else 'stop' end
        from jsonb_array_elements(message.blocks) with ordinality as blocks (block, place)
        where block ->> 'type' = 'text' order by place desc limit 1), 'stop') as ended,
      (select value -> 'value' from run_records
        where run_id = run.id and kind = 'step' and key = ${COMPLETION_KEY}) as completed
    from sessions session
    join runs run on run.session_id = session.id and run.kind = 'chat' and run.parent_run_id is null
    join messages message on message.id = run.message_id
    where session.id = ${sessionId} and session.user_id = ${userId} and session.origin = 'program'
    order by run.created_at desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** Returns the model call of a program, as its run recorded it. */
export async function loadCompletion(db: Kysely<Tables>, runId: string): Promise<Completion | null> {
  const { rows } = await sql<{ completion: Completion | null }>`
    select value -> 'value' -> 'completion' as completion from run_records
    where run_id = ${runId} and kind = 'input' order by position limit 1`.execute(db)
  return rows[0]?.completion ?? null
}

/** Returns the turns of an assistant's call, oldest first. */
export async function loadTurns(db: Kysely<Tables>, sessionId: string) {
  const { rows } = await sql<{ role: 'user' | 'assistant'; content: string }>`
    with recursive path as (
      select m.id, m.parent_id, m.role, m.content, 0 as level
      from messages m join sessions s on s.id = m.session_id and m.id = s.active_leaf where s.id = ${sessionId}
      union all
      select m.id, m.parent_id, m.role, m.content, path.level + 1 from path join messages m on m.id = path.parent_id)
    select role, content from path order by level desc limit 4000`.execute(db)
  return rows
}

/** Inserts the turns before the question as messages and counts their bytes. Returns the last message's id. */
export async function insertTurns(
  trx: Kysely<Tables>,
  sessionId: string,
  turns: readonly { role: 'user' | 'assistant'; content: string }[],
  bytes: number,
): Promise<string | null> {
  await trx
    .updateTable('sessions')
    .set({ stored_bytes: grownBy(bytes) })
    .where('id', '=', sessionId)
    .execute()
  let parent_id: string | null = null
  for (const turn of turns) {
    const { id }: { id: string } = await trx
      .insertInto('messages')
      .values({ session_id: sessionId, parent_id, ...turn })
      .returning('id')
      .executeTakeFirstOrThrow()
    parent_id = id
  }
  return parent_id
}

/** Returns the reply of a user's existing call. */
export async function findReply(db: Kysely<Tables>, userId: string, sessionId: string) {
  const row = await db
    .selectFrom('runs')
    .select('message_id')
    .where('session_id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('parent_run_id', 'is', null)
    .executeTakeFirst()
  return row?.message_id ?? null
}

/** Deletes a call that could not be started. */
export async function removeCall(db: Kysely<Tables>, sessionId: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', sessionId).where('origin', '=', 'program').execute()
}

/** Deletes expired calls. */
export async function removeOldCalls({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const now = clock.now().getTime()
  const before = new Date(now - KEPT_DAYS * 86_400_000)
  const unstored = new Date(now - UNSTORED_HOURS * 3_600_000)
  await sql`
    delete from sessions where id in (
      select s.id from sessions s where s.origin = 'program' and not is_held(s.user_id, s.workspace_id) and (s.created_at < ${before}
          or (s.session_metadata ->> 'store' = 'false' and s.created_at < ${unstored}))
        and not exists (select from runs r where r.session_id = s.id and r.state in ('queued', 'running', 'waiting', 'paused'))
      order by s.created_at limit 5000)`.execute(db)
}

/** Returns the readable passages of an answer with their documents, by passage id. */
export async function nameDocuments(
  db: Kysely<Tables>,
  mayRead: (alias: string) => ReturnType<typeof sql<boolean>>,
  chunkIds: readonly string[],
): Promise<Map<string, { document_id: string; name: string }>> {
  const { rows } = await sql<{ chunk_id: string; document_id: string; name: string }>`
    select distinct on (c.id) c.id as chunk_id, d.id as document_id, d.name
    from chunks c join document_versions v on v.reading_id = c.reading_id join documents d on d.id = v.document_id
    where c.id = any(${[...chunkIds]}::uuid[]) and is_version_shown(d, v.version) and ${mayRead('d')}
    order by c.id, d.created_at limit 1000`.execute(db)
  return new Map(rows.map(({ chunk_id, ...document }) => [chunk_id, document]))
}
