import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

/**
 * Deletes passages and updates the count of the remaining ones. The reconciler compares it with the vector store and would
 * otherwise copy the reading again; the document shows it too.
 */
export async function deletePassages(db: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  await sql`
    with gone as (delete from chunks where id = any(${[...ids]}::uuid[]) returning reading_id),
      counted as (select reading_id, count(*)::int as count from gone group by reading_id),
      noted as (
        update indexed_readings i set chunks = greatest(0, i.chunks - c.count) from counted c
        where i.reading_id = c.reading_id and i.chunks >= 0)
    update readings r set chunks = greatest(0, r.chunks - c.count) from counted c where r.id = c.reading_id`.execute(
    db,
  )
}
