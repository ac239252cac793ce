import { type Kysely, type Selectable, sql } from 'kysely'
import { type AssistantContent, contentFields } from '#shared/chat/assistants/versions.ts'
import type { Audit } from '../../identity/audit/audit.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Row = Selectable<Tables['assistants']>
/** A save: its author, the version it restores, the version limit and the audit entry. */
export type Save = {
  audit: Audit
  savedBy: string
  returnedFrom: number | null
  keep: number
  /** The words come from a file. */
  isImported?: true
  /** Runs in the transaction of a new assistant. */
  also?: (trx: Kysely<Tables>, id: string) => Promise<void>
}

/** Stores a version within the save, which holds the row lock. Returns the changes. */
export async function insertVersion(
  trx: Kysely<Tables>,
  row: Row,
  { savedBy, returnedFrom, keep }: Omit<Save, 'audit'>,
): Promise<(keyof AssistantContent)[]> {
  const last = await trx
    .selectFrom('assistant_versions')
    .select(['version', 'content'])
    .where('assistant_id', '=', row.id)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  const content = contentOf(row)
  const version = (last?.version ?? 0) + 1
  const parts = last ? differing(last.content, content) : []
  await trx
    .insertInto('assistant_versions')
    .values({
      ...{ assistant_id: row.id, version, saved_by: savedBy, returned_from: returnedFrom },
      ...{ content: toJson(content), changed: toJson(parts) },
    })
    .execute()
  await trx
    .deleteFrom('assistant_versions')
    .where('assistant_id', '=', row.id)
    .where('version', '<=', version - keep)
    .execute()
  return parts
}

/** Returns the fields that differ between two versions. */
export function differing(a: AssistantContent, b: AssistantContent): (keyof AssistantContent)[] {
  return contentFields.filter((field) => JSON.stringify(a[field]) !== JSON.stringify(b[field]))
}

const contentOf = (row: Row) =>
  Object.fromEntries(contentFields.map((field) => [field, row[field]])) as AssistantContent

export async function listVersions(
  db: Kysely<Tables>,
  assistantId: string,
  { before, limit }: { before: number | null; limit: number },
) {
  return db
    .selectFrom('assistant_versions as v')
    .leftJoin('users as u', 'u.id', 'v.saved_by')
    .select(['v.version', 'v.returned_from', 'v.changed', 'v.created_at'])
    .select(sql<string | null>`coalesce(u.full_name, u.username)`.as('saved_by'))
    .where('v.assistant_id', '=', assistantId)
    .$if(before !== null, (query) => query.where('v.version', '<', before as number))
    .orderBy('v.version', 'desc')
    .limit(limit)
    .execute()
}

/** Returns the content of a version, or null when it was pruned. */
export async function findVersion(
  db: Kysely<Tables>,
  assistantId: string,
  version: number,
): Promise<AssistantContent | null> {
  const row = await db
    .selectFrom('assistant_versions')
    .select('content')
    .where('assistant_id', '=', assistantId)
    .where('version', '=', version)
    .executeTakeFirst()
  return row?.content ?? null
}
