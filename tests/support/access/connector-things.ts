import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { TestApp } from '../app.ts'
import type { TestUser } from '../builders.ts'

/** Creates a paused personal connector of the owner with a refused item and a removal without an answer. */
export async function aConnector({ deps: { db } }: TestApp, owner: Pick<TestUser, 'id'>) {
  const { rows } = await sql<{ id: string }>`
    insert into connectors (user_id, source, name, settings, selection, rights, every_minutes, state, removing)
    values (${owner.id}, 'folder', 'Contracts', '{}', '{"folders":[],"include":[],"exclude":[]}', 'named', 60, 'paused', null)
    returning id`.execute(db)
  const connectorId = rows[0]?.id ?? ''
  const { rows: items } = await sql<{ id: string }>`
    insert into connector_items (connector_id, foreign_id, version, name, path, state, reason, seen_in, since)
    values (${connectorId}, ${randomUUID()}, '1', 'a.txt', 'a.txt', 'refused', 'empty', 0, now()) returning id`.execute(
    db,
  )
  const { rows: removals } = await sql<{ id: string }>`
    insert into connector_removals (connector_id, missing, of, asked_at) values (${connectorId}, 2, 10, now())
    returning id`.execute(db)
  return { connectorId, itemId: items[0]?.id ?? '', removalId: removals[0]?.id ?? '' }
}
