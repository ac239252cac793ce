import { type Kysely, type Selectable, sql } from 'kysely'
import { may, type Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type LinkRow = Selectable<Tables['share_links']>
export type ListedLink = LinkRow & { files: number }

export type NewLink = Omit<LinkRow, 'views'>

export async function insertLink(trx: Db, link: NewLink, documentIds: readonly string[]): Promise<void> {
  await trx.insertInto('share_links').values(link).execute()
  await sql`
    insert into share_link_files (link_id, place, document_id, version)
    select ${link.id}, chosen.place, d.id, d.version
    from unnest(${[...documentIds]}::uuid[]) with ordinality as chosen (id, place)
    join documents d on d.id = chosen.id`.execute(trx)
}

export async function findTitle(db: Db, sessionId: string): Promise<string | null> {
  const row = await db.selectFrom('sessions').select('title').where('id', '=', sessionId).executeTakeFirst()
  return row?.title ?? null
}

/** Returns those of these documents that the principal may share. */
export async function listShareable(db: Db, principal: Principal, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select d.id from documents d where d.id = any(${[...ids]}::uuid[]) and ${may(principal, 'manage document', 'd')}
    order by d.id limit ${ids.length}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function listLinkRows(
  db: Db,
  principal: Principal,
  {
    now,
    session_id,
    skip,
    limit,
  }: { now: Date; session_id?: string | undefined; skip: number; limit: number },
): Promise<{ rows: ListedLink[]; total: number }> {
  const { rows } = await sql<ListedLink & { total: number }>`
    select l.*, count(*) over ()::int as total,
      (select count(*)::int from share_link_files f where f.link_id = l.id) as files
    from share_links l
    where ${may(principal, 'read link', 'l')} and (l.expires_at is null or l.expires_at > ${now})
      and (${session_id ?? null}::uuid is null or l.session_id = ${session_id ?? null}::uuid)
    order by l.created_at desc, l.id limit ${limit} offset ${skip}`.execute(db)
  return { rows, total: rows[0]?.total ?? 0 }
}

/** Deletes a link. Returns its chat, or null when there was none. */
export async function deleteLink(db: Db, id: string): Promise<string | null> {
  const row = await db
    .deleteFrom('share_links')
    .where('id', '=', id)
    .returning('session_id')
    .executeTakeFirst()
  return row?.session_id ?? null
}

/** Deletes a batch of links that expired long ago. */
export async function deleteEnded(db: Db, before: Date): Promise<void> {
  await sql`delete from share_links where id in (
    select id from share_links where expires_at < ${before} order by expires_at limit 1000)`.execute(db)
}

export type OpenLink = LinkRow & { shared_by: string }

/** Returns the link with this token if it is valid. */
export async function findLink(db: Db, tokenHash: Buffer, now: Date): Promise<OpenLink | null> {
  const { rows } = await sql<OpenLink>`
    select l.*, coalesce(nullif(trim(u.full_name), ''), u.username) as shared_by
    from share_links l join users u on u.id = l.user_id
    where l.token_hash = ${tokenHash} and u.deactivated_at is null and (l.expires_at is null or l.expires_at > ${now})
      and not exists (select from sessions s where s.id = l.session_id and s.deleted_at is not null)`.execute(
    db,
  )
  return rows[0] ?? null
}

export async function countView(db: Db, id: string): Promise<void> {
  await db.updateTable('share_links').set({ views: sql`views + 1` }).where('id', '=', id).execute()
}

export type FileRow = {
  place: number
  document_id: string
  name: string
  size: number
  format: string | null
  file_key: string
}

/** Returns the files of a link in their version at creation. */
export async function listFiles(db: Db, principal: Principal, linkId: string): Promise<FileRow[]> {
  const { rows } = await sql<FileRow>`
    select f.place, f.document_id, v.name, b.size, r.format, b.file_key
    from share_link_files f
    join documents d on d.id = f.document_id and ${may(principal, 'read document', 'd')}
    join document_versions v on v.document_id = f.document_id and v.version = f.version and is_version_shown(d, v.version)
    join readings r on r.id = v.reading_id
    join blobs b on b.id = r.blob_id
    where f.link_id = ${linkId} order by f.place limit 1000`.execute(db)
  return rows
}

/** Returns the location of a picture that a tool made for one of these messages; else null. */
export async function findPicture(db: Db, pictureId: string, messageIds: readonly string[]) {
  const { rows } = await sql<{ file_key: string; name: string; media_type: string }>`
    select m.file_key, m.name, m.media_type from media m
    join runs r on r.id = m.run_id left join runs p on p.id = r.parent_run_id
    where m.id = ${pictureId} and coalesce(r.message_id, p.message_id) = any(${[...messageIds]}::uuid[])`.execute(
    db,
  )
  return rows[0] ?? null
}
