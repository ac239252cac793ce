import { type Kysely, sql } from 'kysely'
import { ContextUse } from '#shared/chat/context-use/context-use.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** The newest prompt of a path, and how many messages it holds before and after its last summary. */
export async function findContextUse(
  db: Db,
  leafId: string | null,
): Promise<{ use: ContextUse | null; messages: number; summarised: number }> {
  if (leafId === null) return { use: null, messages: 0, summarised: 0 }
  const { rows } = await sql<{ use: unknown; total: number; messages: number }>`
    with recursive path as (
      select id, parent_id, metadata, 0 as depth from messages where id = ${leafId}
      union all
      select parent.id, parent.parent_id, parent.metadata, depth + 1
      from path join messages parent on parent.id = path.parent_id
    )
    select
      (select metadata -> 'context_use' from path where metadata ? 'context_use' order by depth limit 1) as use,
      (select count(*)::int from path) as total,
      (select coalesce(min(depth), (select count(*) from path))::int from path where metadata ? 'summary') as messages`.execute(
    db,
  )
  const { use, total = 0, messages = 0 } = rows[0] ?? {}
  return { use: ContextUse.safeParse(use).data ?? null, messages, summarised: total - messages }
}

/** Stores a summary of everything up to a message with it, where people see it. Later prompts begin after it. */
export async function keepCompaction(trx: Db, messageId: string, summary: string): Promise<void> {
  const entry = JSON.stringify({ summary, compaction: summary })
  await sql`update messages set metadata = metadata || ${entry}::jsonb where id = ${messageId}`.execute(trx)
}
