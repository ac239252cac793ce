import { type Kysely, sql } from 'kysely'
import { may, type Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

/** Returns the texts, by id, of passages in any version of a document the principal may read. */
export async function readWords(
  db: Kysely<Tables>,
  principal: Principal,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; text: string }>`
    select c.id, c.text from chunks c
    where c.id = any(${[...ids]}::uuid[]) and exists (
      select from document_versions v join documents d on d.id = v.document_id
      where v.reading_id = c.reading_id and is_version_shown(d, v.version) and ${may(principal, 'read document', 'd')})
    order by c.id limit ${ids.length}`.execute(db)
  return new Map(rows.map(({ id, text }) => [id, text]))
}
