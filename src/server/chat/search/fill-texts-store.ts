import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

/** Texts indexed in one transaction. */
const BATCH = 50

/** Indexes the texts that wait for it, until none are left or `signal` aborts. Each transaction is complete by itself. */
export async function fillTexts(db: Kysely<Tables>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { rows } = await sql`
      with taken as (
        delete from search_backlog where (kind, id) in (
          select kind, id from search_backlog order by kind, id limit ${BATCH} for update skip locked)
        returning kind, id)
      select index_search_text(kind, id) from taken order by kind, id limit ${BATCH}`.execute(db)
    if (rows.length === 0) return
  }
}
