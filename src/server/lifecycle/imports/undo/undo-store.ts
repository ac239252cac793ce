import { type Kysely, sql, type Transaction } from 'kysely'
import { tellWithdrawn } from '../../../platform/access/access.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

/** Returns the next chats that an import created, after an id. */
export async function nextChats(db: Db, importId: string, after: string | null): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select thing_id as id from imported_things
    where import_id = ${importId} and kind = 'chat' and (${after}::uuid is null or thing_id > ${after}::uuid)
    order by thing_id limit 50`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Locks a chat and returns whether something is in it that this import did not add: a message, a run, a document of the person, a
 * share, or a place in another project. Null when it is gone.
 */
export async function isContinued(trx: Trx, sessionId: string, importId: string): Promise<boolean | null> {
  const { rows } = await sql<{ is_continued: boolean }>`
    with chat as (select id, shared_with_project, workspace_id from sessions where id = ${sessionId} for update)
    select shared_with_project or (workspace_id is not null and not exists (
        select from imported_things t where t.thing_id = chat.workspace_id and t.import_id = ${importId} and t.kind = 'project'))
      or exists (select from runs r where r.session_id = chat.id and not exists (
        select from imported_things t where t.thing_id = r.id and t.kind = 'run'))
      or exists (select from share_links l where l.session_id = chat.id)
      or exists (select from session_documents d where d.session_id = chat.id and not exists (
        select from imported_things t where t.thing_id = d.document_id and t.kind = 'file'))
      or exists (select from messages m where m.session_id = chat.id and not exists (
        select from imported_things t where t.thing_id = m.id and t.import_id = ${importId}))
      as is_continued from chat`.execute(trx)
  return rows[0]?.is_continued ?? null
}

/** Deletes a chat without runs of its own. Returns the keys of its files. */
export async function deleteChatRow(trx: Trx, id: string): Promise<string[]> {
  const { rows } = await sql<{ file_key: string }>`
    select file_key from media where run_id in (select id from runs where session_id = ${id}) order by id limit 1000000`.execute(
    trx,
  )
  await sql`update sessions set forked_message = null where forked_from = ${id}`.execute(trx)
  await sql`delete from sessions where id = ${id}`.execute(trx)
  await tellWithdrawn(trx, id)
  return rows.map(({ file_key }) => file_key)
}

/** Returns chats of other imports that this import added messages to. */
export async function nextExtended(db: Db, importId: string, after: string | null): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct t.session_id as id from imported_things t
    where t.import_id = ${importId} and t.kind = 'message' and (${after}::uuid is null or t.session_id > ${after}::uuid)
      and exists (select from imported_things c where c.thing_id = t.session_id and c.kind = 'chat' and c.import_id <> ${importId})
    order by id limit 50`.execute(db)
  return rows.map(({ id }) => id)
}

/** Locks a chat and returns its messages with what undoing needs to know. */
export async function lockMessages(trx: Trx, sessionId: string, importId: string) {
  await sql`select from sessions where id = ${sessionId} for update`.execute(trx)
  // A run of the person needs the journals that it continues.
  const { rows } = await sql<{ id: string; parent_id: string | null; bytes: number; is_added: boolean }>`
    with recursive needed as (
      select r.forked_from_run as id from runs r where r.session_id = ${sessionId} and r.forked_from_run is not null
        and not exists (select from imported_things t where t.thing_id = r.id and t.kind = 'run')
      union select r.forked_from_run from needed join runs r on r.id = needed.id where r.forked_from_run is not null)
    select m.id, m.parent_id, octet_length(m.content) + octet_length(m.blocks::text) as bytes,
      exists (select from imported_things t where t.thing_id = m.id and t.import_id = ${importId})
        and not exists (select from runs r where (r.user_message_id = m.id or r.message_id = m.id)
          and (r.id in (select id from needed)
            or not exists (select from imported_things t where t.thing_id = r.id and t.kind = 'run'))) as is_added
    from messages m where m.session_id = ${sessionId} order by m.created_at, m.id`.execute(trx)
  return rows
}

/** Deletes messages with their imported runs. The chat shows `leaf` if it showed one of them. Returns the keys of their files. */
export async function deleteMessages(
  trx: Trx,
  sessionId: string,
  ids: readonly string[],
  { leaf, bytes }: { leaf: string | null; bytes: number },
): Promise<string[]> {
  const { rows: files } = await sql<{ file_key: string }>`
    select file_key from media where run_id in (select id from runs where message_id = any(${ids}::uuid[]))
    order by id limit 1000000`.execute(trx)
  await sql`
    delete from imported_things where session_id = ${sessionId} and kind in ('run', 'call', 'media', 'journal') and thing_id in (
      select id from runs where message_id = any(${ids}::uuid[])
      union select s.id from runs s join runs r on r.id = s.parent_run_id where r.message_id = any(${ids}::uuid[])
      union select e.id from tool_executions e join runs r on r.id = e.run_id where r.message_id = any(${ids}::uuid[])
      union select f.id from media f join runs r on r.id = f.run_id where r.message_id = any(${ids}::uuid[]))`.execute(
    trx,
  )
  await sql`
    update sessions set stored_bytes = greatest(0, stored_bytes - ${bytes} - coalesce((
        select sum(octet_length(c.value::text)) from run_records c join runs r on r.id = c.run_id
        where r.message_id = any(${ids}::uuid[]) and c.kind <> 'input'), 0)),
      active_leaf = case when active_leaf = any(${ids}::uuid[]) then ${leaf}::uuid else active_leaf end
    where id = ${sessionId}`.execute(trx)
  await sql`delete from imported_things where thing_id = any(${ids}::uuid[]) and kind = 'message'`.execute(
    trx,
  )
  await sql`
    delete from runs where message_id = any(${ids}::uuid[])
      or parent_run_id in (select id from runs where message_id = any(${ids}::uuid[]))`.execute(trx)
  await sql`delete from messages where id = any(${ids}::uuid[])`.execute(trx)
  return files.map(({ file_key }) => file_key)
}

export async function readLeaf(trx: Trx, sessionId: string): Promise<string | null> {
  const row = await trx
    .selectFrom('sessions')
    .select('active_leaf')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return row?.active_leaf ?? null
}

/** Returns the next things of a kind that an import created, after an id. */
export async function nextThings(
  db: Db,
  importId: string,
  kind: 'file' | 'assistant' | 'prompt' | 'fact' | 'schedule' | 'project',
  after: string | null,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select thing_id as id from imported_things
    where import_id = ${importId} and kind = ${kind} and (${after}::uuid is null or thing_id > ${after}::uuid)
    order by thing_id limit 50`.execute(db)
  return rows.map(({ id }) => id)
}

/** Forgets where a thing comes from. */
export async function forgetThings(trx: Db, importId: string, thingId: string): Promise<void> {
  await sql`
    delete from imported_things t where import_id = ${importId} and (thing_id = ${thingId} or (kind = 'version' and exists (
      select from imported_things f where f.import_id = t.import_id and f.kind = 'file' and f.thing_id = ${thingId}
        and starts_with(t.foreign_id, f.foreign_id || '/'))))`.execute(trx)
}

/** Returns whether a document is used: in a chat, a project, an assistant, a prompt, a schedule, or in a newer version. */
export async function isUsed(trx: Trx, id: string): Promise<boolean> {
  const { rows } = await sql<{ is_used: boolean }>`
    select version > greatest(1, (select count(*) from imported_things t join imported_things f
        on f.import_id = t.import_id and f.kind = 'file' and f.thing_id = d.id and starts_with(t.foreign_id, f.foreign_id || '/')
        where t.kind = 'version')) or company_id is not null
      or exists (select from session_documents l where l.document_id = d.id)
      or exists (select from workspace_documents l join workspaces w on w.id = l.workspace_id
        where l.document_id = d.id and not w.is_default)
      or exists (select from schedules c where c.user_id = d.user_id
        and c.things @> jsonb_build_array(jsonb_build_object('kind', 'document', 'id', d.id)))
      or exists (select from assistants a where a.user_id = d.user_id and a.documents ? d.id::text)
      or exists (select from prompts p where p.user_id = d.user_id and p.documents ? d.id::text)
      as is_used from documents d where d.id = ${id}`.execute(trx)
  return rows[0]?.is_used ?? false
}

/** Deletes an unchanged assistant without shares that no schedule, chat, project and prompt uses. Returns false when it stays. */
export async function deleteAssistant(trx: Trx, id: string): Promise<boolean> {
  const { rows } = await sql<{ is_changed: boolean }>`
    select status <> 'draft' or exists (select from assistant_versions v where v.assistant_id = a.id and v.version > 1)
      or exists (select from assistant_shares s where s.assistant_id = a.id)
      or exists (select from schedules c where c.user_id = a.user_id
        and c.things @> jsonb_build_array(jsonb_build_object('kind', 'assistant', 'id', a.id)))
      or exists (select from workspaces w where w.user_id = a.user_id and w.assistant_id = a.id)
      or exists (select from prompts p where p.user_id = a.user_id and p.assistant_id = a.id)
      or exists (select from sessions s where s.user_id = a.user_id
        and s.session_metadata ->> 'assistant_id' = a.id::text) as is_changed
    from assistants a where a.id = ${id} for update`.execute(trx)
  if (rows[0]?.is_changed) return false
  await sql`delete from tool_policies where assistant_id = ${id}`.execute(trx)
  await sql`delete from assistants where id = ${id}`.execute(trx)
  return true
}

/** Deletes an unchanged prompt without shares. Returns false when it stays. */
export async function deletePrompt(trx: Trx, id: string): Promise<boolean> {
  const { rows } = await sql<{ is_changed: boolean }>`
    select version > 1 or exists (select from prompt_shares s where s.prompt_id = p.id) as is_changed
    from prompts p where p.id = ${id} for update`.execute(trx)
  if (rows[0]?.is_changed) return false
  await sql`delete from prompts where id = ${id}`.execute(trx)
  return true
}

/** Deletes an unchanged project without additions. Returns false when it stays. */
export async function deleteProject(trx: Trx, id: string, importId: string): Promise<boolean> {
  const { rows } = await sql<{ is_changed: boolean }>`
    select w.updated_at > i.created_at or w.user_id is distinct from i.user_id
      or exists (select from workspace_members m where m.workspace_id = w.id)
      or exists (select from prompt_shares s where s.workspace_id = w.id)
      or exists (select from budgets b where b.workspace_id = w.id)
      or exists (select from sessions s where s.workspace_id = w.id)
      or exists (select from facts f where f.workspace_id = w.id)
      or exists (select from instruction_versions v where v.workspace_id = w.id and v.saved_by is not null)
      or exists (select from schedules c where c.things @> jsonb_build_array(jsonb_build_object('kind', 'workspace', 'id', w.id))
        or c.rule ->> 'workspace_id' = w.id::text)
      or exists (select from workspace_documents d where d.workspace_id = w.id and not exists (
        select from imported_things t where t.thing_id = d.document_id and t.kind = 'file')) as is_changed
    from workspaces w join imports i on i.id = ${importId} where w.id = ${id} for update of w`.execute(trx)
  if (rows[0]?.is_changed) return false
  await sql`delete from workspaces where id = ${id}`.execute(trx)
  return true
}

/** Deletes a fact with its history. Returns false when the person changed it, which kept the imported text as history. */
export async function deleteFact(trx: Trx, id: string): Promise<boolean> {
  const { rows } = await sql<{ is_changed: boolean }>`
    select exists (select from facts h where h.fact_id = f.id and h.state = 'replaced' and not exists (
      select from imported_things t where t.thing_id = h.id and t.kind = 'fact')) as is_changed
    from facts f where f.id = ${id} for update`.execute(trx)
  if (rows[0]?.is_changed) return false
  await sql`update facts set fact_id = null where fact_id = ${id} and state = 'proposed'`.execute(trx)
  await sql`delete from facts where id = ${id}`.execute(trx)
  return true
}

/** Deletes a schedule that was neither changed nor turned on. Returns false when it stays. */
export async function deleteSchedule(trx: Trx, id: string): Promise<boolean> {
  const { rows } = await sql<{ is_changed: boolean }>`
    select version > 1 or state <> 'paused' or transfer_to is not null
      or exists (select from slots s where s.schedule_id = c.id) as is_changed
    from schedules c where c.id = ${id} for update`.execute(trx)
  if (rows[0]?.is_changed) return false
  await sql`delete from schedules where id = ${id}`.execute(trx)
  return true
}

/** Counts chats, assistants, prompts, facts, schedules and projects of an import that are left. */
export async function countLeft(db: Db, importId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from imported_things
    where import_id = ${importId} and kind in ('chat', 'assistant', 'prompt', 'fact', 'schedule', 'project')`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
