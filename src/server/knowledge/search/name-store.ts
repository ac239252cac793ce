import { type Kysely, sql } from 'kysely'
import type { Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { inScope, type Scope } from './scope-store.ts'

/** Returns at most `most` documents of a scope whose names contain one of the words, sorted by name. */
export async function findByNames(
  db: Kysely<Tables>,
  principal: Principal,
  scope: Scope,
  words: readonly string[],
  most: number,
): Promise<{ id: string; name: string }[]> {
  const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
  const { rows } = await sql<{ id: string; name: string }>`
    select d.id, d.name from documents d
    where d.status = 'completed' and d.name ilike any(${patterns}::text[]) and ${inScope(principal, scope)}
    order by lower(d.name), d.id limit ${most}`.execute(db)
  return rows
}
