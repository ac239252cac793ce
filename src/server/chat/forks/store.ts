import { randomUUID } from 'node:crypto'
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import { defaultTitle } from '#shared/chat/sessions/titles.ts'
import { copySources } from '../../platform/access/classes/classes.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Trx = Transaction<Tables>
type Ids = ReadonlyMap<string, string>

/** Things that the replies of a path own: their runs, the tool executions their blocks name, and the media of both. */
export type Made = {
  runs: { id: string; message_id: string }[]
  executions: { id: string; run_id: string; message_id: string }[]
  media: { id: string; run_id: string; file_key: string; new_id: string; new_key: string }[]
}

const NAMED_ID = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'

export async function findMade(db: Kysely<Tables>, path: string[]): Promise<Made> {
  const { rows: runs } = await sql<Made['runs'][number]>`
    select distinct on (message_id) id, message_id from runs
    where message_id = any(${path}::uuid[]) and parent_run_id is null
    order by message_id, created_at desc, id limit ${path.length}`.execute(db)
  // A reply that returned to a checkpoint names executions of an earlier run.
  const { rows: executions } = await sql<Made['executions'][number]>`
    select distinct on (e.id) e.id, e.run_id, named.message_id from (
      select m.id as message_id, (block ->> 'id')::uuid as id
      from messages m cross join lateral jsonb_array_elements(m.blocks) as block
      where m.id = any(${runs.map(({ message_id }) => message_id)}::uuid[])
        and block ->> 'type' = 'tool' and block ->> 'id' ~ ${NAMED_ID}
    ) named join tool_executions e on e.id = named.id
    order by e.id, named.message_id`.execute(db)
  const owners = [...new Set([...runs.map(({ id }) => id), ...executions.map(({ run_id }) => run_id)])]
  const { rows: media } = await sql<Pick<Made['media'][number], 'id' | 'run_id' | 'file_key'>>`
    select id, run_id, file_key from media where run_id = any(${owners}::uuid[]) order by created_at, id`.execute(
    db,
  )
  return { runs, executions, media: media.map((one) => ({ ...one, ...newPlace() })) }
}

function newPlace() {
  const new_id = randomUUID()
  return { new_id, new_key: `media/${new_id}/file` }
}

/** Locks the chat against deletion and returns the size of the path, and whether its last message is being written. */
export async function measure(
  trx: Kysely<Tables>,
  { sessionId, path, made }: { sessionId: string; path: string[]; made: Made },
): Promise<{ stored_bytes: number; media_bytes: number; is_unfinished: boolean }> {
  await trx.selectFrom('sessions').select('id').where('id', '=', sessionId).forShare().execute()
  const executions = made.executions.map(({ id }) => id)
  const media = made.media.map(({ id }) => id)
  const { rows } = await sql<{ stored_bytes: number; media_bytes: number; is_unfinished: boolean }>`
    select (coalesce((select sum(bytes) from messages where id = any(${path}::uuid[])), 0)
        + coalesce((select sum(pg_column_size(result)) from tool_executions where id = any(${executions}::uuid[])), 0)
      )::int8 as stored_bytes,
      coalesce((select sum(size) from media where id = any(${media}::uuid[])), 0)::int8 as media_bytes,
      exists (select from messages where id = ${path.at(-1)} and status = 'streaming') as is_unfinished`.execute(
    trx,
  )
  return rows[0] ?? { stored_bytes: 0, media_bytes: 0, is_unfinished: false }
}

/** The new chat and its owner, to whom everything in it belongs. */
export type Fork = { id: string; userId: string }
type NewFork = { id: string; userId: string; sessionId: string; messageId: string; stored_bytes: number }

export async function isTaken(db: Kysely<Tables>, id: string): Promise<boolean> {
  return (await db.selectFrom('sessions').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** Inserts the chat with the settings of its origin. Returns false when the id exists. */
export async function insertFork(trx: Trx, fork: NewFork): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into sessions (id, user_id, title, title_source, status, model_name, session_metadata, preview, stored_bytes,
      forked_from, forked_message)
    select ${fork.id}, ${fork.userId}, case when title_source = 'default' then ${defaultTitle(fork.id)} else title end, title_source, 'COMPLETED', model_name, session_metadata, preview,
      ${fork.stored_bytes}, id, ${fork.messageId}
    from sessions where id = ${fork.sessionId} and deleted_at is null
    on conflict (id) do nothing`.execute(trx)
  return numAffectedRows === 1n
}

/** Returns stored messages in the order of the ids. */
export async function loadRows(trx: Trx, ids: string[]) {
  const rows = await trx.selectFrom('messages').selectAll().where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export async function insertMessages(trx: Trx, rows: Insertable<Tables['messages']>[]): Promise<void> {
  await trx.insertInto('messages').values(rows).execute()
}

/** Makes the copy of the message the end of the new chat. */
export async function endFork(trx: Trx, id: string, leafId: string): Promise<void> {
  await sql`
    update sessions set active_leaf = ${leafId}, fork_end = ${leafId}, preview = coalesce(
      (select nullif(left(regexp_replace(content, '\\s+', ' ', 'g'), 200), '') from messages where id = ${leafId}), preview)
    where id = ${id}`.execute(trx)
}

const pairs = (things: readonly { id: string }[], ids: Ids) => ({
  old: things.map(({ id }) => id),
  new: things.map(({ id }) => ids.get(id) ?? id),
})

/** Copies runs without their journals: they own what the replies made, and can neither be resumed nor returned to. */
export async function copyRuns(trx: Trx, { id, userId }: Fork, { runs }: Made, ids: Ids): Promise<void> {
  const run = pairs(runs, ids)
  const messages = runs.map(({ message_id }) => ids.get(message_id) ?? message_id)
  await sql`
    insert into runs (id, user_id, session_id, user_message_id, message_id, agent_type, agent_version, model_name, state,
      created_at, finished_at)
    select copy.id, ${userId}, ${id}, m.parent_id, m.id, r.agent_type, r.agent_version, r.model_name,
      case when r.state = 'stopped' then 'stopped' else 'completed' end, r.created_at, coalesce(r.finished_at, now())
    from unnest(${run.old}::uuid[], ${run.new}::uuid[], ${messages}::uuid[]) as copy (old_id, id, message_id)
    join runs r on r.id = copy.old_id join messages m on m.id = copy.message_id`.execute(trx)
  await copySources(
    trx,
    runs.map(({ id: from }) => ({ from, to: ids.get(from) ?? from })),
  )
}

/** Copies the tool executions that the replies name. Ids of media in results are replaced. */
export async function copyExecutions(trx: Trx, fork: Fork, made: Made, ids: Ids): Promise<void> {
  const execution = pairs(made.executions, ids)
  const runOf = newRuns(made, ids)
  const runs = made.executions.map(({ message_id }) => runOf.get(message_id) ?? null)
  await sql`
    insert into tool_executions (id, run_id, user_id, session_id, tool_id, input, result, error, status, created_at, finished_at)
    select copy.id, copy.run_id, ${fork.userId}, ${fork.id}, e.tool_id, e.input, e.result, e.error, e.status, e.created_at,
      e.finished_at
    from unnest(${execution.old}::uuid[], ${execution.new}::uuid[], ${runs}::uuid[]) as copy (old_id, id, run_id)
    join tool_executions e on e.id = copy.old_id`.execute(trx)
  for (const { id, new_id } of made.media)
    await sql`
      update tool_executions set result = replace(result::text, ${id}, ${new_id})::json
      where id = any(${execution.new}::uuid[]) and strpos(result::text, ${id}) > 0`.execute(trx)
}

/** Returns the new run of each copied reply, by the id of the original reply. */
function newRuns({ runs }: Made, ids: Ids): Map<string, string | undefined> {
  return new Map(runs.map(({ id, message_id }) => [message_id, ids.get(id)]))
}

/** Copies the rows of media. They belong to the person who forks and count in their storage. */
export async function copyMedia(trx: Trx, { userId }: Fork, made: Made, ids: Ids): Promise<void> {
  const messageOf = new Map([
    ...made.executions.map(({ run_id, message_id }) => [run_id, message_id] as const),
    ...made.runs.map(({ id, message_id }) => [id, message_id] as const),
  ])
  const runOf = newRuns(made, ids)
  const media = pairs(made.media, ids)
  const runs = made.media.map(({ run_id }) => runOf.get(messageOf.get(run_id) ?? '') ?? null)
  const keys = made.media.map(({ new_key }) => new_key)
  await sql`
    insert into media (id, user_id, run_id, name, media_type, size, file_key, created_at)
    select copy.id, ${userId}, copy.run_id, m.name, m.media_type, m.size, copy.file_key, m.created_at
    from unnest(${media.old}::uuid[], ${media.new}::uuid[], ${runs}::uuid[], ${keys}::text[])
      as copy (old_id, id, run_id, file_key)
    join media m on m.id = copy.old_id`.execute(trx)
}

/** Copies the working memory, so that the next reply knows what the original would know. */
export async function copyBeliefs(trx: Trx, { runs }: Made, ids: Ids): Promise<void> {
  const run = pairs(runs, ids)
  const messages = runs.map(({ message_id }) => ids.get(message_id) ?? message_id)
  await sql`
    insert into beliefs (run_id, message_id, content, created_at)
    select copy.id, copy.message_id, b.content, b.created_at
    from unnest(${run.old}::uuid[], ${run.new}::uuid[], ${messages}::uuid[]) as copy (old_id, id, message_id)
    join beliefs b on b.run_id = copy.old_id`.execute(trx)
}

/** Copies which facts the replies were given. Facts of another person are left out. */
export async function copyUsedFacts(
  trx: Trx,
  { userId }: Fork,
  path: readonly string[],
  ids: Ids,
): Promise<void> {
  const message = pairs(
    path.map((id) => ({ id })),
    ids,
  )
  await sql`
    insert into fact_uses (message_id, fact_id, place, text)
    select copy.id, u.fact_id, u.place, u.text
    from unnest(${message.old}::uuid[], ${message.new}::uuid[]) as copy (old_id, id)
    join fact_uses u on u.message_id = copy.old_id
    join facts f on f.id = u.fact_id and (f.user_id = ${userId} or f.workspace_id is not null)`.execute(trx)
}

type Attached = { forkId: string; sessionId: string; messageId: string; path: string[] }

/** Links the documents that were there when the message was written, the workspaces, and the files of programs that were copied. */
export async function copyAttachments(
  trx: Trx,
  { forkId, sessionId, messageId, path }: Attached,
  ids: Ids,
): Promise<void> {
  await sql`
    insert into session_documents (session_id, document_id, added_at)
    select ${forkId}, document_id, added_at from session_documents where session_id = ${sessionId} and (
      added_at <= (select created_at from messages where id = ${messageId})
      or document_id::text in (
        select file ->> 'document_id' from messages m cross join lateral jsonb_array_elements(m.metadata -> 'files') as file
        where m.id = any(${path}::uuid[]) and jsonb_typeof(m.metadata -> 'files') = 'array'))`.execute(trx)
  await sql`
    insert into session_workspaces (session_id, workspace_id, added_at)
    select ${forkId}, workspace_id, added_at from session_workspaces where session_id = ${sessionId}`.execute(
    trx,
  )
  const folder = await trx
    .selectFrom('code_folders')
    .select('files')
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  const files = (folder?.files ?? []).flatMap(({ from, ...file }) => {
    const id = from.kind === 'document' ? from.id : ids.get(from.id)
    return id ? [{ ...file, from: { ...from, id } }] : []
  })
  if (files.length === 0) return
  await trx
    .insertInto('code_folders')
    .values({ session_id: forkId, files: toJson(files) })
    .execute()
}
