import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ProjectContents } from '#shared/chat/project-lifecycle/project-lifecycle.ts'
import type { Pipeline } from '#shared/knowledge/documents/documents.ts'
import { isPresent, type Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Returns the condition that a chat `s` of a project follows the decision of a person who deletes it: their own, and shared ones. */
const isAffected = (person: Person, projectId: string): RawBuilder<boolean> => sql<boolean>`(
  s.workspace_id = ${projectId} and s.origin = 'chat' and (s.user_id = ${person.id} or s.shared_with_project)
  and ${isPresent('session', 's')})`

/** A document `d` that belongs to a connector. It follows its source, whatever becomes of a project that shows it. */
const isConnected = sql<boolean>`(d.connector_id is not null or d.connector_item_id is not null)`

/** Documents `d` that their owners added to a project and that no other workspace contains, without those of connectors. */
const isOnlyHere = (projectId: string): RawBuilder<boolean> => sql<boolean>`(
  not ${isConnected} and d.id in (select placed.document_id from workspace_documents placed
    where placed.workspace_id = ${projectId} and placed.added_by = d.user_id)
  and not exists (select from workspace_documents other
    where other.document_id = d.id and other.workspace_id <> ${projectId}))`

/** Counts what the deletion of a project affects. */
export async function countContents(db: Db, person: Person, id: string): Promise<ProjectContents> {
  const { rows } = await sql<ProjectContents>`
    select (select count(*)::int from sessions s where ${isAffected(person, id)}) as chats,
      (select count(*)::int from sessions s where s.workspace_id = ${id} and s.origin = 'chat'
        and s.user_id <> ${person.id} and not s.shared_with_project and ${isPresent('session', 's')}) as private_chats,
      (select count(*)::int from workspace_documents placed join documents d on d.id = placed.document_id
        where placed.workspace_id = ${id} and not ${isConnected} and ${isPresent('document', 'd')}) as documents,
      (select count(*)::int from schedules_of_project(${id})) as schedules,
      (select count(*)::int from facts where workspace_id = ${id} and state = 'kept') as facts,
      (select count(*)::int from workspace_members where workspace_id = ${id}) as members`.execute(db)
  if (!rows[0]) throw new Error('A count returned no row.')
  return rows[0]
}

export async function setArchived(trx: Db, id: string, at: Date | null): Promise<void> {
  await trx.updateTable('workspaces').set({ archived_at: at }).where('id', '=', id).execute()
}

/** Locks and returns the chats that follow the decision, with the run that is active in each. */
export async function lockChats(
  trx: Db,
  person: Person,
  id: string,
): Promise<{ id: string; run_id: string | null }[]> {
  const { rows } = await sql<{ id: string; run_id: string | null }>`
    select s.id, (select r.id from runs r where r.session_id = s.id and r.parent_run_id is null
      and r.finished_at is null order by r.created_at desc limit 1) as run_id
    from sessions s where ${isAffected(person, id)} order by s.id limit ${MAX_LOCKED} for update of s`.execute(
    trx,
  )
  return rows
}

/** More chats than a project can have. */
const MAX_LOCKED = 10_000_000

/** Moves chats to the trash of their owners. Without a trash, the next purge deletes them. */
export async function trashChats(trx: Db, ids: string[], at: Date): Promise<void> {
  await sql`update sessions set deleted_at = ${at}, shared_with_project = false
    where id = any(${ids}::uuid[]) and deleted_at is null`.execute(trx)
}

/** Gives chats to a person. Their messages become the text of others, and links of the former owner end. */
export async function giveChats(trx: Db, ids: string[], heirId: string): Promise<void> {
  const given = sql`select id from sessions where id = any(${ids}::uuid[]) and user_id <> ${heirId}`
  await sql`update messages set is_by_others = true where session_id in (${given}) and not is_by_others`.execute(
    trx,
  )
  await sql`delete from share_links where session_id in (${given})`.execute(trx)
  await sql`update sessions set user_id = ${heirId}, shared_with_project = false
    where id in (${given})`.execute(trx)
}

/** Takes the remaining chats out of the project, as private chats of their owners. */
export async function releaseChats(trx: Db, projectId: string): Promise<void> {
  await sql`update sessions set workspace_id = null, shared_with_project = false
    where workspace_id = ${projectId}`.execute(trx)
}

/** Moves the documents that only this project contains to the trash of their owners. */
export async function trashDocuments(trx: Db, projectId: string, at: Date): Promise<void> {
  await sql`
    with recursive family as (
      select d.id from documents d where ${isOnlyHere(projectId)}
      union select d.id from documents d join family on d.parent_id = family.id)
    update documents set deleted_at = ${at} where id in (select id from family) and deleted_at is null`.execute(
    trx,
  )
}

export async function removeProject(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('workspaces').where('id', '=', id).execute()
}

/** Returns whether an active person belongs to a project. */
export async function isOfProject(trx: Db, projectId: string, personId: string): Promise<boolean> {
  const { rows } = await sql`
    select from users u where u.id = ${personId} and u.deactivated_at is null
      and u.id in (select people_of_project(${projectId})) limit 1`.execute(trx)
  return rows.length > 0
}

/** Returns the documents to hand over: those that only this project contains, without the ones inside of others. */
export async function listHanded(trx: Db, projectId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select d.id from documents d where ${isOnlyHere(projectId)} and d.parent_id is null
      and ${isPresent('document', 'd')} order by d.id limit ${MAX_HANDED}`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Maximum documents that the deletion of a project hands over. The others stay with their owners. */
const MAX_HANDED = 10_000

type Handed = {
  user_id: string
  name: string
  pipeline: Pipeline
  file_key: string
  source_url: string | null
}

/** Returns a document with the bytes it shows; null when it is gone. */
export async function findHanded(db: Db, id: string): Promise<Handed | null> {
  const { rows } = await sql<Handed>`
    select d.user_id, d.name, d.source_url, r.pipeline, b.file_key from documents d
      join readings r on r.id = d.reading_id join blobs b on b.id = r.blob_id
    where d.id = ${id} and ${isPresent('document', 'd')} limit 1`.execute(db)
  return rows[0] ?? null
}

/** Moves a document with its inner documents to the trash of its owner. Returns false when it is gone. */
export async function trashHanded(trx: Db, id: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    with recursive family as (
      select id from documents where id = ${id}
      union select d.id from documents d join family on d.parent_id = family.id)
    update documents d set deleted_at = ${at} where id in (select id from family) and deleted_at is null and not ${isConnected}
    returning id`.execute(trx)
  return rows.length > 0
}
