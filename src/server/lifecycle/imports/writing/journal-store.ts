import { type Kysely, sql } from 'kysely'
import { grownBy } from '../../../money/storage/storage.ts'
import { toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { withChain } from '../../../runs/runs/runs.ts'
import type { NewRun } from './made-store.ts'

type Db = Kysely<Tables>

/** `value` is JSON. */
export type NewRecord = {
  position: number
  key: string
  kind: 'step' | 'checkpoint' | 'ask' | 'answer'
  value: string
  at: Date
}

/** Stores records of a journal, after a first one that says only to which reply it belongs. */
export async function insertRecords(trx: Db, run: NewRun, records: readonly NewRecord[]): Promise<void> {
  const { id: run_id, user_id, session_id, message_id, agent_type } = run
  await sql`
    insert into run_records (run_id, position, key, kind, value, epoch)
    select ${run_id}, 0, 'input', 'input', json_build_object('events', '[]'::json, 'value', json_build_object(
      'user_id', ${user_id}::text, 'session_id', ${session_id}::text, 'message_id', m.id, 'user_message_id', m.parent_id,
      'agent_type', ${agent_type}::text, 'is_imported', true)), 0
    from messages m where m.id = ${message_id} on conflict do nothing`.execute(trx)
  await trx
    .insertInto('run_records')
    .values(records.map(({ at, ...record }) => ({ ...record, run_id, epoch: 0, created_at: at })))
    .execute()
}

type Origin = {
  agent_type: string
  agent_version: number
  fork: { runId: string; position: number } | null
}

/** Notes the agent of an imported run, and the run whose journal it continues. */
export async function setOrigin(
  trx: Db,
  runId: string,
  { agent_type, agent_version, fork }: Origin,
): Promise<void> {
  await sql`
    update runs set agent_type = ${agent_type}, agent_version = ${agent_version}::int,
      forked_from_run = ${fork?.runId ?? null}::uuid, forked_from_position = ${fork?.position ?? null}::int
    where id = ${runId}`.execute(trx)
}

export async function insertLabels(
  trx: Db,
  runId: string,
  labels: readonly { key: string; label: string }[],
): Promise<void> {
  await sql`
    insert into checkpoint_labels (run_id, key, label)
    select ${runId}, key, left(label, 200) from jsonb_to_recordset(${toJson(labels)}::jsonb) as one (key text, label text)
    on conflict do nothing`.execute(trx)
}

/** Runs whose journals one run may continue, one after the other. Every start of a run reads them all. */
const MAX_ORIGINS = 200

/** Returns whether a journal may continue another one of this chat at this position. */
export async function canContinue(
  trx: Db,
  sessionId: string,
  { runId, position }: { runId: string; position: number },
): Promise<boolean> {
  const { rows } = await sql`
    ${withChain(runId)}
    select from runs r join run_records c on c.run_id = r.id
    where r.id = ${runId} and r.session_id = ${sessionId} and c.position = ${position} and c.kind = 'checkpoint'
      and (select count(*) from chain) < ${MAX_ORIGINS}`.execute(trx)
  return rows.length > 0
}

/** Returns whether a message is a reply to another message, and no run of it has a journal. Locks the message. */
export async function isReplyWithoutJournal(trx: Db, messageId: string): Promise<boolean> {
  const { rows } = await sql`
    select from messages m where m.id = ${messageId} and m.role = 'assistant' and m.parent_id is not null
      and not exists (select from runs r join run_records c on c.run_id = r.id where r.message_id = m.id)
    for no key update`.execute(trx)
  return rows.length > 0
}

/** Counts bytes for the storage of a chat. */
export async function addStoredBytes(trx: Db, sessionId: string, bytes: number): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ stored_bytes: grownBy(bytes) })
    .where('id', '=', sessionId)
    .execute()
}

/** Returns which of these ids are tool calls of a chat. */
export async function findCalls(trx: Db, sessionId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from tool_executions where session_id = ${sessionId} and id = any(${[...ids]}::uuid[])
    order by id limit ${ids.length}`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Removes the positions of a run from its chat, except those with these keys. */
export async function keepPositions(
  trx: Db,
  sessionId: string,
  { runId, keys }: { runId: string; keys: readonly string[] },
): Promise<void> {
  const kept = keys.map((key) => `${runId}:${key}`)
  await sql`
    update messages m set blocks = coalesce((
      select jsonb_agg(block order by place) from jsonb_array_elements(m.blocks) with ordinality as one (block, place)
      where block ->> 'type' <> 'checkpoint' or block ->> 'run_id' <> ${runId} or block ->> 'id' = any(${kept}::text[])), '[]')
    where m.session_id = ${sessionId} and m.blocks @> jsonb_build_array(jsonb_build_object('type', 'checkpoint', 'run_id', ${runId}::text))`.execute(
    trx,
  )
}
