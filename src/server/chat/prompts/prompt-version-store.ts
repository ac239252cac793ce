import { type Kysely, type Selectable, sql } from 'kysely'
import { MAX_VERSIONS } from '#shared/chat/prompts/prompt-versions.ts'
import { contentFields, type PromptContent } from '#shared/chat/prompts/prompts.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Row = Selectable<Tables['prompts']>

/** Stores the version of a prompt just saved and prunes old ones. Returns the fields that changed. */
export async function insertVersion(
  trx: Db,
  row: Row,
  before: PromptContent | null,
  { savedBy, returnedFrom = null }: { savedBy: string; returnedFrom?: number | null },
): Promise<(keyof PromptContent)[]> {
  const content = contentOf(row)
  const changed = before ? differing(before, content) : []
  await trx
    .insertInto('prompt_versions')
    .values({
      ...{ prompt_id: row.id, version: row.version, saved_by: savedBy, returned_from: returnedFrom },
      ...{ content: toJson(content), changed: toJson(changed) },
    })
    .execute()
  await trx
    .deleteFrom('prompt_versions')
    .where('prompt_id', '=', row.id)
    .where('version', '<=', row.version - MAX_VERSIONS)
    .execute()
  return changed
}

export function contentOf(row: Row): PromptContent {
  const { name, command, text, fields, assistant_id, model_name, documents } = row
  const tools = row.tools as string[] | null
  return { name, command, text, fields, assistant_id, model_name, tools, documents }
}

/** Returns the fields that differ between two versions. */
export function differing(a: PromptContent, b: PromptContent): (keyof PromptContent)[] {
  return contentFields.filter((field) => JSON.stringify(a[field]) !== JSON.stringify(b[field]))
}

type Wanted = { before: number | null; limit: number }

export async function listVersions(db: Db, promptId: string, { before, limit }: Wanted) {
  return db
    .selectFrom('prompt_versions as v')
    .leftJoin('users as u', 'u.id', 'v.saved_by')
    .select(['v.version', 'v.returned_from', 'v.changed', 'v.created_at'])
    .select(sql<string | null>`coalesce(nullif(trim(u.full_name), ''), u.username)`.as('saved_by'))
    .where('v.prompt_id', '=', promptId)
    .$if(before !== null, (query) => query.where('v.version', '<', before ?? 0))
    .orderBy('v.version', 'desc')
    .limit(limit)
    .execute()
}

/** Returns the content of a version, or null when it was pruned. */
export async function findVersion(db: Db, promptId: string, version: number): Promise<PromptContent | null> {
  const row = await db
    .selectFrom('prompt_versions')
    .select('content')
    .where('prompt_id', '=', promptId)
    .where('version', '=', version)
    .executeTakeFirst()
  return row?.content ?? null
}
