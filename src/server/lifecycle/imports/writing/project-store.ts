import { type Insertable, type Kysely, sql } from 'kysely'
import { builtInIds } from '#shared/chat/assistants/assistants.ts'
import { toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

export async function insertProject(trx: Db, row: Insertable<Tables['workspaces']>): Promise<void> {
  await trx.insertInto('workspaces').values(row).execute()
}

type Version = { version: number; text: string; created_at: Date }

/** Stores versions of instructions. They have no author: their words come from a file. */
export async function insertInstructions(
  trx: Db,
  projectId: string,
  versions: readonly Version[],
): Promise<void> {
  await sql`
    insert into instruction_versions (workspace_id, version, text, created_at, is_imported)
    select ${projectId}, version, text, created_at, true
    from jsonb_to_recordset(${toJson(versions)}::jsonb) as one (version int, text text, created_at timestamptz)`.execute(
    trx,
  )
}

type Mark = {
  user_id: string
  workspace_id: string
  isPinned: boolean
  isCollapsed: boolean
  position: number | null
}

export async function insertMark(trx: Db, mark: Mark): Promise<void> {
  const { user_id, workspace_id, isPinned, isCollapsed, position } = mark
  await trx
    .insertInto('project_marks')
    .values({ user_id, workspace_id, is_pinned: isPinned, is_collapsed: isCollapsed, position })
    .execute()
}

/** Gives projects that wait for an imported assistant its id. */
export async function adoptAssistant(
  trx: Db,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await sql`update workspaces set assistant_id = ${to} where user_id = ${userId} and assistant_id = ${from}`.execute(
    trx,
  )
}

/** Removes assistants that an import did not bring from its projects. */
export async function dropMissingAssistants(db: Db, importId: string): Promise<void> {
  await sql`
    update workspaces w set assistant_id = null from imported_things t
    where t.import_id = ${importId} and t.kind = 'project' and t.thing_id = w.id and w.assistant_id is not null
      and not w.assistant_id = any(${[...builtInIds]}::uuid[])
      and not exists (select from assistants a where a.id = w.assistant_id)`.execute(db)
}

/** Returns an imported project while the person owns it; null otherwise. */
export async function findOwnProject(db: Db, userId: string, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.id ?? null
}
