import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { withoutCitations } from '#shared/platform/citations/citation-tags.ts'
import type { Database } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'

/** One message of the path to the question, as the window needs to know it. */
export type PathMessage = {
  id: string
  role: 'user' | 'assistant'
  /** UTF-8 bytes: a text never has more tokens. */
  bytes: number
  /** A stored summary of everything up to and including this message. */
  summary: string | null
}

/** The messages from the first one to `leafId`, without their text. A path never changes. */
export async function loadPath(db: Database, leafId: string): Promise<PathMessage[]> {
  const { rows } = await sql<PathMessage>`
    with recursive path as (
      select id, parent_id, 0 as depth from messages where id = ${leafId}
      union all
      select parent.id, parent.parent_id, depth + 1 from path join messages parent on parent.id = path.parent_id
    )
    select m.id, m.role, octet_length(m.content) as bytes, m.metadata ->> 'summary' as summary
    from path join messages m on m.id = path.id
    order by path.depth desc`.execute(db)
  return rows
}

/** Texts of messages by id, without the markers of what they cite: in another turn these name nothing. */
export async function loadTexts(db: Database, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'content'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, content }) => [id, withoutCitations(content)]))
}

/** Keeps with a message the summary of everything up to it. */
export async function keepSummary(trx: Kysely<Tables>, messageId: string, summary: string): Promise<void> {
  const entry = JSON.stringify({ summary })
  await sql`update messages set metadata = metadata || ${entry}::jsonb where id = ${messageId}`.execute(trx)
}
