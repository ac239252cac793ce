import { type Kysely, sql } from 'kysely'
import { isPresent } from '../../../platform/access/access.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { messageOfModel, runOfModel } from '../../agents/agents.ts'

type Db = Kysely<Tables>

/** A passage by what its id is made of: the version of its document, its position and its text. */
export type CitedPassage = {
  id: string
  document_id: string
  version: number
  position: number
  text: string
}

/** Returns the passages with these ids that are in documents of the person. */
export async function listCited(db: Db, userId: string, ids: readonly string[]): Promise<CitedPassage[]> {
  const found = ids.filter((id) => /^[0-9a-f-]{36}$/.test(id))
  if (found.length === 0) return []
  const { rows } = await sql<CitedPassage>`
    select distinct on (c.id) c.id, v.document_id, v.version, c.position, c.text
    from chunks c join document_versions v on v.reading_id = c.reading_id join documents d on d.id = v.document_id
    where c.id = any(${found}::uuid[]) and d.user_id = ${userId} and d.connector_id is null
      and ${isPresent('document', 'd')} and d.parent_id is null
    order by c.id, v.document_id, v.version limit ${found.length}`.execute(db)
  return rows
}

/** Returns the runs of replies with positions to return to, by message. */
export async function listJournals(db: Db, messageIds: readonly string[]): Promise<Map<string, string>> {
  if (messageIds.length === 0) return new Map()
  const { rows } = await sql<{ message_id: string; id: string }>`
    select r.message_id, r.id from runs r where r.message_id = any(${[...messageIds]}::uuid[]) and ${hasJournal}
    order by r.message_id limit ${messageIds.length}`.execute(db)
  return new Map(rows.map(({ message_id, id }) => [message_id, id]))
}

/** A model of a reply of several. `message_id` is its own reply; null when it failed. */
export type ComparedModel = { model_name: string; message_id: string | null; error: string | null }

/** Returns the models of replies of several, in their order, by message. */
export async function listComparedIn(
  db: Db,
  messageIds: readonly string[],
): Promise<Map<string, ComparedModel[]>> {
  if (messageIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; message_id: string; models: { model_name: string }[] }>`
    select r.id, r.message_id, c.value -> 'value' -> 'compared' as models
    from runs r join run_records c on c.run_id = r.id and c.position = 0
    where r.message_id = any(${[...messageIds]}::uuid[]) and r.agent_type = 'comparison' and r.finished_at is not null
    order by r.message_id, r.created_at limit ${messageIds.length}`.execute(db)
  const subRuns = rows.flatMap(({ id, models }) => models.map((_, at) => runOfModel(id, at + 1)))
  const { rows: failed } = await sql<{ id: string; detail: string }>`
    select id, coalesce(error ->> 'detail', '') as detail from runs where id = any(${subRuns}::uuid[]) and state <> 'completed'
    order by id limit ${subRuns.length}`.execute(db)
  const errors = new Map(failed.map(({ id, detail }) => [id, detail]))
  return new Map(
    rows.map(({ id, message_id, models }) => [
      message_id,
      models.map(({ model_name }, at) => {
        const run = runOfModel(id, at + 1)
        const error = errors.get(run) ?? null
        return { model_name, error, message_id: error === null ? messageOfModel(run) : null }
      }),
    ]),
  )
}

/** Bytes of the largest journal in an archive; an import reads no larger elements. */
const MAX_JOURNAL_BYTES = 12 * 1024 * 1024

/** The condition that a run `r` has positions to return to and is finished. Sub-runs are part of the run that began them. */
const hasJournal = sql<boolean>`(r.kind = 'chat' and r.parent_run_id is null and r.message_id is not null
  and r.finished_at is not null and r.agent_type not in ('comparison', 'completion', 'tool')
  and exists (select from run_records c where c.run_id = r.id and c.kind = 'checkpoint')
  and (select sum(octet_length(c.value::text)) from run_records c where c.run_id = r.id) < ${MAX_JOURNAL_BYTES})`

/**
 * Yields the journals of a person's replies as JSON texts, oldest first, so that a run follows the one it was forked from. The first
 * record stays out: it contains the instructions and tools of this installation.
 */
export async function* readJournals(db: Db, userId: string): AsyncGenerator<string> {
  let after = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }
  for (;;) {
    const { rows } = await sql<{ id: string; at: string }>`
      select r.id, r.created_at::text as at from runs r join sessions s on s.id = r.session_id
      where s.user_id = ${userId} and s.origin <> 'temporary' and ${isPresent('session', 's')} and ${hasJournal}
        and (r.created_at, r.id) > (${after.at}::timestamptz, ${after.id}::uuid)
      order by r.created_at, r.id limit 100`.execute(db)
    for (const { id } of rows) yield* await readJournal(db, id)
    const last = rows.at(-1)
    if (!last) return
    after = last
  }
}

async function readJournal(db: Db, runId: string): Promise<string[]> {
  const { rows } = await sql<{ journal: string }>`
    select json_build_object('journal_of', r.id, 'session_id', r.session_id, 'message_id', r.message_id,
      'agent_type', r.agent_type, 'agent_version', r.agent_version, 'model_name', r.model_name,
      'forked_from', r.forked_from_run, 'forked_position', r.forked_from_position,
      'labels', (select json_agg(json_build_object('key', l.key, 'label', l.label) order by l.key)
        from checkpoint_labels l where l.run_id = r.id),
      'records', (select json_agg(json_build_object('position', c.position, 'key', c.key, 'kind', c.kind, 'value', c.value,
        'created_at', c.created_at) order by c.position)
        from run_records c where c.run_id = r.id and c.kind not in ('input', 'pause', 'resume', 'end')))::text as journal
    from runs r where r.id = ${runId}`.execute(db)
  return rows.map(({ journal }) => journal)
}
