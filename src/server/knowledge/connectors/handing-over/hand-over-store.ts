import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type HandedConnector = { id: string; name: string; heir: string }

/**
 * Gives the company connectors of a person to another administrator of each company: the preferred one if they administer it, otherwise
 * the one with the oldest account. Ends the syncs under way, and sign-ins of the person at a source. Connectors without an heir stay.
 */
export async function giveConnectors(
  trx: Db,
  ownerId: string,
  preferredId: string | null,
): Promise<HandedConnector[]> {
  const { rows } = await sql<HandedConnector>`
    with owned as (
      select id, company_id from connectors
      where user_id = ${ownerId} and company_id is not null and removing is null order by id for update
    ), heirs as (
      select distinct on (owned.id) owned.id, u.id as heir_id, coalesce(nullif(trim(u.full_name), ''), u.username) as heir
      from owned join company_members m on m.company_id = owned.company_id and m.role <> 'member' and m.user_id <> ${ownerId}
        join users u on u.id = m.user_id and u.deactivated_at is null
      where not exists (select from erasures e where e.user_id = u.id)
      order by owned.id, m.user_id is distinct from ${preferredId}::uuid, u.created_at, u.id
    ), signed_out as (
      delete from connector_sign_ins s using heirs where s.connector_id = heirs.id returning s.connector_id
    )
    update connectors c set user_id = heirs.heir_id, phase = null, cursor = null, changes_token = null,
      state = case when lost.connector_id is not null then 'signed_out' when c.state = 'working' then 'ready' else c.state end,
      next_sync_at = case when lost.connector_id is null and c.state in ('ready', 'working', 'failing') then now() end
    from heirs left join signed_out lost on lost.connector_id = heirs.id where heirs.id = c.id
    returning c.id, c.name, heirs.heir`.execute(trx)
  return rows
}

/** Lets connectors read all items again for their new owner. The documents of the former one become plain documents. */
export async function readAgain(trx: Db, connectorIds: readonly string[]): Promise<void> {
  await sql`update documents set connector_id = null, connector_item_id = null
    where connector_id = any(${connectorIds}::uuid[])`.execute(trx)
  await sql`update connector_items set state = 'waiting', stored_version = null, reason = null, detail = null, tries = 0
    where connector_id = any(${connectorIds}::uuid[]) and stored_version is not null`.execute(trx)
}
