import { type Kysely, sql, type Updateable } from 'kysely'
import { MAX_INSTRUCTION_VERSIONS } from '#shared/chat/projects/projects.ts'
import { may, type Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Returns a project and locks it, so that concurrent changes follow each other. Null for a default workspace. */
export async function lockProject(trx: Db, id: string) {
  const row = await trx
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', id)
    .where('is_default', '=', false)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

export async function updateProject(
  trx: Db,
  id: string,
  changes: Updateable<Tables['workspaces']>,
): Promise<void> {
  await trx.updateTable('workspaces').set(changes).where('id', '=', id).execute()
}

type NewVersion = { version: number; text: string; savedBy: string }

/** Stores a version of the instructions and prunes old ones. */
export async function insertInstructions(
  trx: Db,
  workspace_id: string,
  { version, text, savedBy }: NewVersion,
): Promise<void> {
  await trx
    .insertInto('instruction_versions')
    .values({ workspace_id, version, text, saved_by: savedBy })
    .execute()
  await trx
    .deleteFrom('instruction_versions')
    .where('workspace_id', '=', workspace_id)
    .where('version', '<=', version - MAX_INSTRUCTION_VERSIONS)
    .execute()
}

export async function listInstructions(
  db: Db,
  workspaceId: string,
  { before, limit }: { before: number | null; limit: number },
) {
  return db
    .selectFrom('instruction_versions as v')
    .leftJoin('users as u', 'u.id', 'v.saved_by')
    .select(['v.version', 'v.text', 'v.created_at'])
    .select('v.is_imported')
    .select(sql<string | null>`coalesce(nullif(trim(u.full_name), ''), u.username)`.as('saved_by'))
    .where('v.workspace_id', '=', workspaceId)
    .$if(before !== null, (query) => query.where('v.version', '<', before ?? 0))
    .orderBy('v.version', 'desc')
    .limit(limit)
    .execute()
}

type ChatProject = {
  id: string
  name: string
  instructions: string
  version: number
  /** True when someone else wrote the instructions, now or earlier. */
  is_by_others: boolean
}

/** Returns the project of a chat, while the person may read it. */
export async function findChatProject(
  db: Db,
  person: Person,
  sessionId: string,
): Promise<ChatProject | null> {
  const { rows } = await sql<ChatProject>`
    select w.id, w.name, w.instructions, w.instructions_version as version,
      exists (select from instruction_versions v
        where v.workspace_id = w.id and v.saved_by is distinct from ${person.id}::uuid) as is_by_others
    from sessions s join workspaces w on w.id = s.workspace_id
    where s.id = ${sessionId} and ${may(person, 'read workspace', 'w')}`.execute(db)
  return rows[0] ?? null
}
