import { extname } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'
import { mediaTypeOf } from '../../../platform/files/media-types.ts'

type Db = Kysely<Tables>

export type NewRun = {
  id: string
  user_id: string
  session_id: string
  message_id: string
  agent_type: string
  model_name: string | null
}

/** Stores a finished run without a journal: it owns what a reply made. Returns false when it is there already. */
export async function insertRuns(trx: Db, run: NewRun): Promise<boolean> {
  const { id, user_id, session_id, message_id, agent_type, model_name } = run
  const { numAffectedRows } = await sql`
    insert into runs (id, user_id, session_id, user_message_id, message_id, agent_type, agent_version, model_name, state,
      created_at, finished_at)
    select ${id}, ${user_id}, ${session_id}, m.parent_id, m.id, ${agent_type}, 1, ${model_name}, 'completed', m.created_at, m.created_at
    from messages m where m.id = ${message_id} on conflict (id) do nothing`.execute(trx)
  return numAffectedRows === 1n
}

type NewCall = {
  id: string
  tool_id: string
  input: string
  result: string
  error: string | null
  status: string
}

/** Stores tool calls of a run. `input` and `result` are JSON. */
export async function insertCalls(trx: Db, run: NewRun, calls: readonly NewCall[]): Promise<void> {
  for (const { id, tool_id, input, result, error, status } of calls)
    await sql`
      insert into tool_executions (id, run_id, user_id, session_id, tool_id, input, result, error, status, created_at, finished_at)
      select ${id}, r.id, r.user_id, r.session_id, ${tool_id}, ${input}, ${result}, ${error}, ${status}, r.created_at, r.created_at
      from runs r where r.id = ${run.id} on conflict (id) do nothing`.execute(trx)
}

type WholeCall = {
  id: string
  user_id: string
  input: string
  result: string
  error: string | null
  ended: Date | null
}

/** Gives a tool call its whole input and result. Returns its chat, or null when it is not here. */
export async function completeCall(trx: Db, call: WholeCall): Promise<string | null> {
  const { id, user_id, input, result, error, ended } = call
  const { rows } = await sql<{ session_id: string }>`
    update tool_executions set input = ${input}, result = ${result}, error = ${error},
      finished_at = coalesce(${ended}::timestamptz, finished_at)
    where id = ${id} and user_id = ${user_id} returning session_id`.execute(trx)
  const session = rows[0]?.session_id ?? null
  if (session !== null)
    await sql`update sessions set stored_bytes = stored_bytes + ${Buffer.byteLength(result)} where id = ${session}`.execute(
      trx,
    )
  return session
}

type NewFile = { id: string; name: string; size: number; file_key: string; at: Date }

export async function insertMade(
  trx: Db,
  { id: run_id, user_id }: NewRun,
  { id, name, size, file_key, at }: NewFile,
) {
  const media_type = mediaTypeOf(extname(name).slice(1).toLowerCase())
  await trx
    .insertInto('media')
    .values({ id, user_id, run_id, name, media_type, size, file_key, created_at: at })
    .execute()
}
