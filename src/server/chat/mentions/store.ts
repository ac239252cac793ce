import { type Kysely, sql } from 'kysely'
import { withoutCitations } from '#shared/platform/citations/citation-tags.ts'
import type { Tables } from '../../platform/db/tables.ts'

/** Maximum messages read of a quoted chat. */
const MAX_MESSAGES = 200

/**
 * Returns the end of the branch that a chat shows, at most `limit` characters, oldest first. A message that does not fit is cut at its
 * beginning.
 */
export async function readEnd(db: Kysely<Tables>, leafId: string, limit: number): Promise<string> {
  const { rows } = await sql<{ role: string; content: string }>`
    with recursive path as (
      select id, parent_id, 0 as depth from messages where id = ${leafId}
      union all
      select parent.id, parent.parent_id, depth + 1 from path join messages parent on parent.id = path.parent_id
      where depth < ${MAX_MESSAGES}
    )
    select m.role, right(m.content, ${limit}) as content from path join messages m on m.id = path.id
    order by path.depth limit ${MAX_MESSAGES}`.execute(db)
  const told: string[] = []
  let left = limit
  for (const { role, content } of rows) {
    const text = withoutCitations(content).trim()
    if (text === '') continue
    if (left <= 0) break
    told.unshift(`${role === 'user' ? 'Person' : 'Assistant'}: ${text.slice(-left)}`)
    left -= text.length
  }
  return told.join('\n\n')
}
