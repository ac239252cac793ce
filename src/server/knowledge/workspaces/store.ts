import { type Kysely, sql } from 'kysely'
import type { Workspace } from '#shared/knowledge/workspaces/workspaces.ts'
import { isPresent, may, type Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

type Row = Omit<Workspace, 'created_at' | 'updated_at'> & { created_at: Date; updated_at: Date }

const columns = sql`
  w.id, w.name, w.description, w.is_default, w.created_at, w.updated_at,
  (select count(*)::int from workspace_documents l join documents d on d.id = l.document_id
    where l.workspace_id = w.id and ${isPresent('document', 'd')}) as document_count`

type Page = { page: number; limit: number; chat_session_id?: string | undefined }

/** A page of the workspaces a principal may see, the default one first. */
export async function listWorkspaces(db: Db, principal: Principal, { page, limit, chat_session_id }: Page) {
  const linked = chat_session_id
    ? sql`w.id in (select workspace_id from session_workspaces where session_id = ${chat_session_id})`
    : sql`true`
  const meant = sql`${may(principal, 'read workspace', 'w')} and w.archived_at is null and ${linked}`
  const { rows } = await sql<Row>`
    select ${columns} from workspaces w where ${meant}
    order by w.is_default desc, lower(w.name), w.id limit ${limit} offset ${(page - 1) * limit}`.execute(db)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from workspaces w where ${meant}`.execute(db)
  return { items: rows.map(show), total: counted[0]?.total ?? 0 }
}

export async function readWorkspace(db: Db, id: string): Promise<Workspace | null> {
  const { rows } = await sql<Row>`select ${columns} from workspaces w where w.id = ${id}`.execute(db)
  return rows[0] ? show(rows[0]) : null
}

type New = { user_id: string; name: string; description: string | null }

export async function insertWorkspace(db: Db, workspace: New): Promise<string> {
  return (await db.insertInto('workspaces').values(workspace).returning('id').executeTakeFirstOrThrow()).id
}

export type Changes = { name?: string | undefined; description?: string | null | undefined }

/** False for the default one, which stays as it is. */
export async function updateWorkspace(
  db: Db,
  id: string,
  changes: Changes,
  updated_at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('workspaces')
    .set({ ...changes, updated_at })
    .where('id', '=', id)
    .where('is_default', '=', false)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False for the default one. Its documents stay in the library. */
export async function deleteWorkspace(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('workspaces')
    .where('id', '=', id)
    .where('is_default', '=', false)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function linkWorkspace(db: Db, session_id: string, workspace_id: string): Promise<void> {
  await db
    .insertInto('session_workspaces')
    .values({ session_id, workspace_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function unlinkWorkspace(db: Db, session_id: string, workspace_id: string): Promise<void> {
  await db
    .deleteFrom('session_workspaces')
    .where('session_id', '=', session_id)
    .where('workspace_id', '=', workspace_id)
    .execute()
}

function show(row: Row): Workspace {
  return { ...row, created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() }
}
