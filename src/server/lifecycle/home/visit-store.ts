import { sql } from 'kysely'
import { VISIT_MINUTES } from '#shared/lifecycle/home/home.ts'
import type { Database } from '../../platform/db/db.ts'

const DAY_MS = 86_400_000

/** Notes that a person looks at the home page. Returns when their previous visit ended; a day ago before the first one. */
export async function notePersonAtHome(db: Database, userId: string, now: Date): Promise<Date> {
  const before = new Date(now.getTime() - VISIT_MINUTES * 60_000)
  const { rows } = await sql<{ since: Date }>`
    insert into home_visits as visit (user_id, since, seen_at) values (${userId}, ${aDayBefore(now)}, ${now})
    on conflict (user_id) do update set
      since = case when visit.seen_at < ${before} then visit.seen_at else visit.since end,
      seen_at = greatest(visit.seen_at, ${now})
    returning since`.execute(db)
  return rows[0]?.since ?? aDayBefore(now)
}

/** Returns when the previous visit of a person ended, without noting one. */
export async function readSince(db: Database, userId: string, now: Date): Promise<Date> {
  const { rows } = await sql<{ since: Date }>`
    select since from home_visits where user_id = ${userId} limit 1`.execute(db)
  return rows[0]?.since ?? aDayBefore(now)
}

const aDayBefore = (now: Date) => new Date(now.getTime() - DAY_MS)
