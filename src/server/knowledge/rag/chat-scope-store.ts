import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ChatLibrary } from '#shared/knowledge/rag/chat-library.ts'
import { isPresent, may, type Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Tells whether documents or workspaces are linked to a chat, or its project has documents. */
export async function hasLinks(db: Db, sessionId: string): Promise<boolean> {
  const { rows } = await sql<{ linked: boolean }>`
    select exists (select from session_documents l join documents d on d.id = l.document_id
        where l.session_id = ${sessionId} and ${isPresent('document', 'd')})
      or exists (select from session_workspaces where session_id = ${sessionId})
      or exists (select from sessions s
        join workspace_documents l on l.workspace_id = s.workspace_id join documents d on d.id = l.document_id
        where s.id = ${sessionId} and ${isPresent('document', 'd')}) as linked`.execute(db)
  return rows[0]?.linked ?? false
}

/** Returns the model of a chat; null when it has none. */
export async function modelOfChat(db: Db, sessionId: string): Promise<string | null> {
  const row = await db
    .selectFrom('sessions')
    .select('model_name')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return row?.model_name ?? null
}

/** Returns the documents linked to a chat that a principal may read, the newest links first. */
export function linkedDocuments(db: Db, principal: Principal, sessionId: string, most: number) {
  return listLinked<ChatLibrary['documents']['items'][number]>(
    db,
    sql`select d.id, d.name, d.status, l.added_at from session_documents l join documents d on d.id = l.document_id
      where l.session_id = ${sessionId} and ${may(principal, 'read document', 'd')}`,
    most,
  )
}

/** Returns the workspaces linked to a chat and its project, as far as a principal may read them, the newest links first. */
export async function linkedWorkspaces(
  db: Db,
  principal: Principal,
  sessionId: string,
  most: number,
): Promise<ChatLibrary['workspaces']> {
  type Item = ChatLibrary['workspaces']['items'][number]
  const { items, total } = await listLinked<Item>(
    db,
    sql`select w.id, w.name, l.added_at, l.is_project,
        (select count(*)::int from workspace_documents l join documents d on d.id = l.document_id
          where l.workspace_id = w.id and ${isPresent('document', 'd')}) as document_count
      from (select workspace_id, added_at, false as is_project from session_workspaces where session_id = ${sessionId}
          and workspace_id is distinct from (select s.workspace_id from sessions s where s.id = ${sessionId})
        union all select s.workspace_id, s.created_at, true from sessions s where s.id = ${sessionId}
          and exists (select from workspace_documents d where d.workspace_id = s.workspace_id)) l
      join workspaces w on w.id = l.workspace_id
      where ${may(principal, 'read workspace', 'w')}`,
    most,
  )
  return {
    items: items.map(({ is_project, ...item }) => (is_project ? { ...item, is_project } : item)),
    total,
  }
}

async function listLinked<Item>(
  db: Db,
  linked: RawBuilder<unknown>,
  most: number,
): Promise<{ items: Item[]; total: number }> {
  const { rows } = await sql<Item & { added_at: Date; total: number }>`
    select *, count(*) over ()::int as total from (${linked}) as linked
    order by added_at desc, id limit ${most}`.execute(db)
  const total = rows[0]?.total ?? 0
  return { items: rows.map(({ added_at, total, ...item }) => item as unknown as Item), total }
}

/** Counts the documents in `ids` and in `workspaces` that a principal may read. */
export async function countReadable(
  db: Db,
  principal: Principal,
  ids: readonly string[],
  workspaces: readonly string[],
): Promise<number> {
  if (ids.length + workspaces.length === 0) return 0
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from documents d
    where (d.id = any(${[...ids]}::uuid[])
        or d.id in (select document_id from workspace_documents where workspace_id = any(${[...workspaces]}::uuid[])))
      and ${may(principal, 'read document', 'd')}`.execute(db)
  return rows[0]?.total ?? 0
}
