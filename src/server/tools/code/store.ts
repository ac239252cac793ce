import { type Kysely, sql } from 'kysely'
import type { CodeFile } from '#shared/tools/tools/code-port.ts'
import { may, type Principal } from '../../platform/access/access.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Returns the files left by programs of a chat; an empty list before the first. */
export async function readFolder(db: Db, sessionId: string): Promise<CodeFile[]> {
  const row = await db
    .selectFrom('code_folders')
    .select('files')
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return row?.files ?? []
}

export async function writeFolder(db: Db, sessionId: string, files: CodeFile[]): Promise<void> {
  const values = { session_id: sessionId, files: toJson(files), updated_at: sql<Date>`now()` }
  await db
    .insertInto('code_folders')
    .values(values)
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet(values))
    .execute()
}

type StoredDocument = { id: string; name: string; size: number; file_key: string }

/** Returns documents by id, if the person may read them. */
export async function listNamed(db: Db, principal: Principal, ids: string[]): Promise<StoredDocument[]> {
  const { rows } = await sql<StoredDocument>`
    select d.id, d.name, b.size, b.file_key from documents d
    join readings r on r.id = d.reading_id join blobs b on b.id = r.blob_id
    where d.id = any(${ids}::uuid[]) and ${may(principal, 'read document', 'd')}
    order by d.created_at, d.id limit ${ids.length}`.execute(db)
  return rows
}

/** Returns the documents linked to a chat that the person may read. */
export async function listLinked(db: Db, sessionId: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ document_id: string }>`
    select document_id from session_documents where session_id = ${sessionId}
    order by document_id limit ${most}`.execute(db)
  return rows.map(({ document_id }) => document_id)
}

export type MadeMedia = { id: string; name: string; size: number }

/** Returns files that other tools made in a chat and that still exist, newest first. They belong to the person. */
export async function listMadeInChat(
  db: Db,
  userId: string,
  sessionId: string,
  most: number,
): Promise<MadeMedia[]> {
  const { rows } = await sql<MadeMedia>`
    select m.id, m.name, m.size::int from tool_executions e
    cross join lateral jsonb_path_query(e.result::jsonb, '$.** ? (@.type == "media_reference").id') as made(id)
    join media m on m.id = (made.id #>> '{}')::uuid
    where e.session_id = ${sessionId} and e.user_id = ${userId} and m.user_id = ${userId}
      and e.tool_id <> 'code_interpreter' and e.status = 'complete' and e.result is not null
    order by m.created_at desc, m.id limit ${most}`.execute(db)
  return rows
}
