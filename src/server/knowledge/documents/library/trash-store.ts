import { type Kysely, sql } from 'kysely'
import { isInTrashOf, type Principal } from '../../../platform/access/access.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Moves a document with its inner documents to the trash. Its readings, workspaces and chats stay linked. */
export async function trashDocument(trx: Db, id: string, now: Date): Promise<void> {
  await sql`
    with recursive family as (
      select id from documents where id = ${id}
      union all select d.id from documents d join family on d.parent_id = family.id)
    update documents set deleted_at = ${now} where id in (select id from family) and deleted_at is null`.execute(
    trx,
  )
}

/**
 * Restores documents deleted after `since`, with the inner documents deleted with them and with what contains them. Returns
 * those of the ids that were in the trash.
 */
export async function untrashDocuments(
  trx: Db,
  principal: Principal,
  ids: string[],
  since: Date,
): Promise<string[]> {
  const roots = await namedInTrash(trx, principal, ids, since)
  await sql`
    with recursive family as (
      select id, deleted_at from documents where id = any(${roots}::uuid[])
      union select d.id, d.deleted_at from documents d join family f on d.parent_id = f.id and d.deleted_at = f.deleted_at),
    above as (
      select parent_id as id from documents where id = any(${roots}::uuid[])
      union select d.parent_id from documents d join above on d.id = above.id)
    update documents set deleted_at = null
    where deleted_at is not null and (id in (select id from family) or id in (select id from above))`.execute(
    trx,
  )
  return roots
}

/** Marks documents of the trash, by default all of them, to be deleted by the next purge. Returns their ids. */
export async function endDocuments(
  trx: Db,
  principal: Principal,
  { ids, since }: { ids: string[] | null; since: Date },
): Promise<string[]> {
  const ended = await namedInTrash(trx, principal, ids, since)
  await sql`
    with recursive family as (
      select id from documents where id = any(${ended}::uuid[])
      union select d.id from documents d join family on d.parent_id = family.id)
    update documents set deleted_at = 'epoch' where id in (select id from family)`.execute(trx)
  return ended
}

/** Locks and returns those of the ids that are in the trash of the principal. */
async function namedInTrash(trx: Db, principal: Principal, ids: string[] | null, since: Date) {
  const named = ids ? sql`d.id = any(${ids}::uuid[])` : sql`true`
  const { rows } = await sql<{ id: string }>`
    select d.id from documents d where ${isInTrashOf(principal, 'd')} and d.deleted_at > ${since} and ${named}
    order by d.id for update limit ${ids?.length ?? MAX_ENDED}`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Larger than any person's trash. */
const MAX_ENDED = 10_000_000

/** Returns documents whose time in the trash is over, outer ones first. */
export async function listEndedDocuments(db: Db, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from documents where deleted_at <= ${before} and not is_document_held(id, user_id)
    order by parent_id is not null, deleted_at, id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns whether a document is still to be deleted. Locks it. */
export async function isEndedDocument(trx: Db, id: string, before: Date): Promise<boolean> {
  const { rows } = await sql`
    select from documents where id = ${id} and deleted_at <= ${before}
      and not is_document_held(id, user_id) for update`.execute(trx)
  return rows.length > 0
}
