import { type Kysely, sql } from 'kysely'
import type { WorkspaceConnector } from '#shared/knowledge/workspaces/workspace-connectors.ts'
import { connectorsReaching, type Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

const isIn = (workspaceId: string) => sql`exists (select from workspace_connectors placed
  where placed.connector_id = c.id and placed.workspace_id = ${workspaceId})`

/** Returns a page of the connectors that reach the person, those of the workspace first, and the total. */
export async function listReaching(
  db: Db,
  person: Person,
  workspaceId: string,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ items: WorkspaceConnector[]; total: number }> {
  const { rows } = await sql<WorkspaceConnector & { total: number }>`
    select c.id, c.name, c.source, ${isIn(workspaceId)} as is_in, count(*) over ()::int as total
    from connectors c where c.id in (${connectorsReaching(person)})
    order by is_in desc, lower(c.name), c.id limit ${limit} offset ${skip}`.execute(db)
  return { items: rows.map(({ total: _, ...item }) => item), total: rows[0]?.total ?? 0 }
}

/** Puts a connector into a workspace or takes it out. Returns null for one that does not reach the person. */
export async function placeConnector(
  db: Db,
  person: Person,
  { workspaceId, connectorId, is_in }: { workspaceId: string; connectorId: string; is_in: boolean },
): Promise<WorkspaceConnector | null> {
  const { rows } = await sql<
    Omit<WorkspaceConnector, 'is_in'>
  >`select c.id, c.name, c.source from connectors c
    where c.id = ${connectorId} and c.id in (${connectorsReaching(person)})`.execute(db)
  const [connector] = rows
  if (!connector) return null
  if (is_in)
    await sql`insert into workspace_connectors (workspace_id, connector_id, added_by)
      values (${workspaceId}, ${connectorId}, ${person.id}) on conflict do nothing`.execute(db)
  else
    await sql`delete from workspace_connectors where workspace_id = ${workspaceId} and connector_id = ${connectorId}`.execute(
      db,
    )
  return { ...connector, is_in }
}
