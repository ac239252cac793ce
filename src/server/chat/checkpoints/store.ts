import { type Kysely, sql } from 'kysely'
import { checkpointIdOf, readCheckpointId } from '#shared/chat/checkpoints/checkpoint-id.ts'
import type { Right } from '#shared/platform/http.ts'
import type { AgentType } from '#shared/runs/runs/agent-type.ts'
import { admit, type Judged, judge, type Principal } from '../../platform/access/access.ts'
import { withinBytes } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { withChain } from '../../runs/runs/runs.ts'

type Db = Kysely<Tables>

/** A checkpoint record with its run. `at` is in microseconds, because a millisecond can hold several records. */
export type CheckpointRow = {
  run_id: string
  position: number
  key: string
  name: string
  kind: string
  at: number
  label: string | null
  message_id: string
  session_id: string
  user_id: string
}

const microseconds = (column: string) => sql<number>`(extract(epoch from ${sql.ref(column)}) * 1e6)::float8`

const columns = sql`
  record.run_id, record.position, record.key, ${microseconds('record.created_at')} as at,
  record.value->'events'->0->>'checkpoint_name' as name, record.value->'events'->0->>'kind' as kind,
  (select label from checkpoint_labels l where l.run_id = record.run_id and l.key = record.key) as label,
  run.message_id, run.session_id, run.user_id`

/**
 * Returns the newest checkpoints of a session's replies on all branches, newest last, up to the list limit: all, or
 * only labelled ones.
 */
export async function findOfSession(
  db: Db,
  sessionId: string,
  { skip, limit }: { skip: number; limit: number },
  isNamed: boolean,
): Promise<CheckpointRow[]> {
  const { rows } = await withinBytes(sql<CheckpointRow>`
    select ${columns} from runs run join run_records record on record.run_id = run.id
    where run.session_id = ${sessionId} and run.kind = 'chat' and run.parent_run_id is null
      and record.kind = 'checkpoint'
      and (not ${isNamed}::boolean or exists (
        select from checkpoint_labels l where l.run_id = record.run_id and l.key = record.key))
    order by record.created_at desc, record.position desc limit ${limit} offset ${skip}`).execute(db)
  return rows.reverse()
}

/** Returns the checkpoints of a run's journal, including inherited ones, newest first. */
export async function findOfRun(db: Db, runId: string, limit = 1000): Promise<CheckpointRow[]> {
  const { rows } = await sql<CheckpointRow>`
    ${withChain(runId)}
    select ${columns} from chain join runs run on run.id = chain.id
    join run_records record on record.run_id = run.id and (up_to is null or record.position <= up_to)
    where record.kind = 'checkpoint'
    order by level, record.position desc limit ${limit}`.execute(db)
  return rows
}

/**
 * Returns one checkpoint if the principal has the given right to its run.
 * @throws AppError `not_found` for an unknown id, `forbidden`
 */
export async function findById(
  db: Db,
  principal: Principal,
  right: Right,
  id: string,
): Promise<CheckpointRow> {
  const { runId, key } = readCheckpointId(id) ?? {}
  const { rows } = await sql<Judged<CheckpointRow>>`
    select ${columns}, ${judge(principal, `${right} run`, 'run')}
    from runs run join run_records record on record.run_id = run.id
    where run.id = ${runId} and run.message_id is not null
      and record.kind = 'checkpoint' and record.key = ${key}`.execute(db)
  return admit(rows[0], `${right} checkpoint`)
}

/** Returns the name of the checkpoint at which a run last resumed, or null. */
export async function findResumedAt(db: Db, runId: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select value->'events'->0->>'checkpoint_name' as name from run_records
    where run_id = ${runId} and kind = 'resume' order by position desc limit 1`.execute(db)
  return rows[0]?.name ?? null
}

/** The chat and the message of a run whose journal comes from an archive. */
export type ImportedRun = {
  agent_type: AgentType
  user_message_id: string
  session: {
    id: string
    model_name: string | null
    session_metadata: Record<string, unknown>
    workspace_id: string | null
  }
}

/** Returns null for a run of this installation. */
export async function findImported(db: Db, runId: string): Promise<ImportedRun | null> {
  const { rows } = await sql<ImportedRun>`
    select r.agent_type, r.user_message_id, json_build_object('id', s.id, 'model_name', s.model_name,
      'session_metadata', s.session_metadata, 'workspace_id', s.workspace_id) as session
    from run_records c join runs r on r.id = c.run_id join sessions s on s.id = r.session_id
    where c.run_id = ${runId} and c.position = 0 and c.value -> 'value' ->> 'is_imported' = 'true'`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Sets or removes a checkpoint's label. */
export async function setLabel(
  db: Db,
  { run_id, key }: { run_id: string; key: string },
  label: string | null,
): Promise<void> {
  if (!label) {
    await db.deleteFrom('checkpoint_labels').where('run_id', '=', run_id).where('key', '=', key).execute()
    return
  }
  await db
    .insertInto('checkpoint_labels')
    .values({ run_id, key, label })
    .onConflict((same) => same.columns(['run_id', 'key']).doUpdateSet({ label, updated_at: new Date() }))
    .execute()
}

/** A run of a session and its fork origin. */
export type RunNode = {
  id: string
  parent_run_id: string | null
  message_id: string | null
  forked_from_run: string | null
  forked_from_position: number | null
  /** Time of the record it was forked at. */
  forked_at: number | null
}

/** Returns the runs of a session that others may be forked from. */
export async function findRuns(db: Db, sessionId: string): Promise<Map<string, RunNode>> {
  const { rows } = await sql<RunNode>`
    select run.id, run.parent_run_id, run.message_id, run.forked_from_run, run.forked_from_position,
      ${microseconds('base.created_at')} as forked_at
    from runs run left join run_records base
      on base.run_id = run.forked_from_run and base.position = run.forked_from_position
    where run.session_id = ${sessionId}`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** A payment in a session, in dollars and tokens. */
export type Payment = { run_id: string; at: number; cost: number; tokens: number }

export async function findPayments(db: Db, runIds: string[]): Promise<Payment[]> {
  if (runIds.length === 0) return []
  const { rows } = await sql<Payment>`
    select run_id, ${microseconds('created_at')} as at, (-amount)::float8 as cost,
      (coalesce(input_tokens, 0) + coalesce(output_tokens, 0))::int as tokens
    from ledger_entries where run_id in (${sql.join(runIds)}) and kind = 'usage' order by created_at`.execute(
    db,
  )
  return rows
}

/** Returns the message ids from a leaf to the root. */
export async function findPath(db: Db, leafId: string | null): Promise<string[]> {
  if (leafId === null) return []
  const { rows } = await sql<{ id: string }>`
    with recursive path as (
      select id, parent_id from messages where id = ${leafId}
      union all
      select parent.id, parent.parent_id from path join messages parent on parent.id = path.parent_id
    )
    select id from path`.execute(db)
  return rows.map(({ id }) => id)
}

/** Maximum characters of a question in a list. The message has the full text. */
const LISTED_PROMPT = 500

/** Returns the questions of runs, by the name of the checkpoint they waited at. */
export async function findQuestions(db: Db, runIds: string[]): Promise<Map<string, Question>> {
  if (runIds.length === 0) return new Map()
  const { rows } = await sql<Question & { run_id: string; name: string }>`
    select run_id, event->>'checkpoint_name' as name, left(event->>'prompt', ${LISTED_PROMPT}) as prompt, event->'input_types' as input_types
    from run_records, json_array_elements(value->'events') as event
    where run_id in (${sql.join(runIds)}) and kind = 'ask' and event->>'event' = 'input_required'`.execute(db)
  return new Map(
    rows.map(({ run_id, name, ...question }) => [checkpointIdOf({ run_id, key: name }), question] as const),
  )
}
export type Question = { prompt: string; input_types: string[] }

/** Returns the working time up to a checkpoint: time between records, except rests. */
export async function readWorkedTime(db: Db, { run_id, position }: CheckpointRow): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    ${withChain(run_id, position)}, timed as (
      select kind, record.created_at,
        lead(record.created_at) over (partition by run_id order by position) as next
      from chain join run_records record on run_id = chain.id and (up_to is null or position <= up_to)
    )
    select coalesce(sum(extract(epoch from next - created_at)) * 1000, 0)::float8 as ms
    from timed where kind not in ('ask', 'pause')`.execute(db)
  return Math.round(rows[0]?.ms ?? 0)
}

/** Returns a check whether a position belongs to the active branch, directly or by inheritance. */
export async function readBranch(db: Db, sessionId: string, runs: ReadonlyMap<string, RunNode>) {
  const session = await db
    .selectFrom('sessions')
    .select('active_leaf')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  const path = new Set(await findPath(db, session?.active_leaf ?? null))
  const upTo = new Map<string, number>()
  for (const run of runs.values()) {
    if (run.message_id === null || run.parent_run_id !== null || !path.has(run.message_id)) continue
    let [node, last]: [RunNode | undefined, number] = [run, Number.POSITIVE_INFINITY]
    while (node) {
      upTo.set(node.id, Math.max(last, upTo.get(node.id) ?? 0))
      last = Math.min(last, node.forked_from_position ?? 0)
      node = runs.get(node.forked_from_run ?? '')
    }
  }
  return ({ run_id, position }: CheckpointRow) => position <= (upTo.get(run_id) ?? -1)
}
