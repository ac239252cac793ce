import { type Kysely, sql } from 'kysely'
import type { BenchFeedback } from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

type Shown = Omit<BenchFeedback, 'at' | 'passages'> & { changed_at: Date; chunk_ids: string[] }

/** Returns feedback that its author shares, or the caller's own, unless a set contains it already; the newest first. */
export async function listShown(
  db: Db,
  callerId: string,
  { skip, limit, characters }: { skip: number; limit: number; characters: number },
): Promise<Shown[]> {
  const { rows } = await sql<Shown>`
    select ${columns(characters)}
    where (f.is_shown or f.user_id = ${callerId}) and not exists (
      select from bench_cases b where b.message_id = f.message_id and b.user_id = f.user_id)
    order by f.changed_at desc, f.message_id offset ${skip} limit ${limit}`.execute(db)
  return rows
}

/** Returns null when there is no such feedback, or its author does not share it with the caller. */
export async function findShown(
  db: Db,
  callerId: string,
  { message_id, user_id }: Pick<Shown, 'message_id' | 'user_id'>,
  characters: number,
): Promise<Shown | null> {
  const { rows } = await sql<Shown>`
    select ${columns(characters)}
    where (f.is_shown or f.user_id = ${callerId}) and f.message_id = ${message_id} and f.user_id = ${user_id} limit 1`.execute(
    db,
  )
  return rows[0] ?? null
}

const columns = (characters: number) => sql`
  f.message_id, f.user_id, f.rating, f.reason, f.comment, f.chunk_ids, f.changed_at,
  left(asked.content, ${characters}) as question
  from feedback f join messages m on m.id = f.message_id join messages asked on asked.id = m.parent_id`
