import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { escapeLike } from '../sessions/sessions.ts'

export type Page = { q: string; skip: number; limit: number }

export type Row = {
  id: string
  role: 'user' | 'assistant'
  model_name: string | null
  created_at: Date
  passage: string
}

/** Scans each text once for both the page and the count. */
export async function findHits(db: Kysely<Tables>, sessionId: string, { q, skip, limit }: Page) {
  const { rows } = await sql<(Row | { id: null }) & { total: number }>`
    with found as materialized (
      select id, created_at from messages
      where session_id = ${sessionId} and content ilike ${`%${escapeLike(q)}%`}
    )
    select counted.total, page.* from (select count(*)::int as total from found) counted left join (
      select m.id, m.role, m.model_name, m.created_at,
        substring(m.content from greatest(1, strpos(lower(m.content), lower(${q})) - 100) for 400) as passage
      from (select id from found order by created_at desc, id desc limit ${limit} offset ${skip}) as chosen
      join messages m on m.id = chosen.id
    ) page on true
    order by page.created_at desc, page.id desc`.execute(db)
  return { rows: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 }
}

/** Characters of a message read for its map line. */
const READ_CHARACTERS = 140

/** Reads all lines as a single value, because that is faster than many rows. */
export async function readLines(db: Database, sessionId: string): Promise<string[]> {
  const { rows } = await sql<{ lines: string | null }>`
    select string_agg(json_build_object(
      'id', id, 'parent_id', parent_id, 'role', role, 'model_name', model_name,
      'text', left(content, ${sql.lit(READ_CHARACTERS)}),
      'created_at', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    )::text, E'\\n' order by created_at, id) as lines
    from messages where session_id = ${sessionId}`.execute(db)
  return rows[0]?.lines?.split('\n') ?? []
}

/** Activates a leaf and records the visit. */
export async function visitLeaf(db: Database, sessionId: string, leafId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('sessions').set({ active_leaf: leafId }).where('id', '=', sessionId).execute()
    await trx
      .insertInto('branch_visits')
      .values({ leaf_id: leafId, session_id: sessionId })
      .onConflict((visit) => visit.column('leaf_id').doUpdateSet({ visited_at: sql`clock_timestamp()` }))
      .execute()
  })
}

/** Returns the creation times of messages, by id. */
export async function loadTimes(db: Database, ids: string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('messages').select(['id', 'created_at']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, created_at }) => [id, created_at.toISOString()]))
}
