import { type Kysely, sql } from 'kysely'
import type { ReadableConnector } from '#shared/knowledge/connectors/readable-connectors.ts'
import { connectorsReaching, type Person, type Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Returns a page of the connectors that reach the principal, by name, and the total. */
export async function listReadable(
  db: Db,
  principal: Principal,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ items: ReadableConnector[]; total: number }> {
  const { rows } = await sql<ReadableConnector & { total: number }>`
    select c.id, c.name, c.source, count(*) over ()::int as total
    from connectors c where c.id in (${connectorsReaching(principal)})
    order by lower(c.name), c.id limit ${limit} offset ${skip}`.execute(db)
  return { items: rows.map(({ total: _, ...item }) => item), total: rows[0]?.total ?? 0 }
}

export async function findReadable(db: Db, person: Person, id: string): Promise<ReadableConnector | null> {
  const { rows } = await sql<ReadableConnector>`select c.id, c.name, c.source from connectors c
    where c.id = ${id} and c.id in (${connectorsReaching(person)})`.execute(db)
  return rows[0] ?? null
}
