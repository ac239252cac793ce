import { type RawBuilder, sql } from 'kysely'
import { administeredBy, type Principal } from './principal.ts'
import { isNamedIn } from './recipient-rules.ts'

type Condition = RawBuilder<boolean>
type Column = (name: string) => RawBuilder<unknown>

/** Hours that the last known rights of a source count when it cannot be asked. */
const RIGHTS_HOURS = 24

/** The owner of a personal connector, and administrators of the company it belongs to. */
export function mayManageConnector(principal: Principal, column: Column): Condition {
  if (principal.kind !== 'user') return sql<boolean>`false`
  return sql<boolean>`(${column('removing')} is null and case when ${column('company_id')} is null
    then ${column('user_id')} = ${principal.id}
    else ${column('company_id')} = any(${administeredBy(principal)}::uuid[]) end)`
}

/** Tells whether a document was read by a connector. */
export const isOfConnector = (column: Column): Condition =>
  sql<boolean>`(${column('connector_id')} is not null or ${column('connector_item_id')} is not null)`

/**
 * A document of a connector that reaches the principal. With mirrored rights the source must name their verified address or a group
 * with it, and must have been asked within 24 hours. The array lets an index find the documents.
 */
export function isReadableItem(principal: Principal, column: Column): Condition {
  if (principal.kind !== 'user' && principal.kind !== 'key') return sql<boolean>`false`
  return sql<boolean>`(${column('connector_id')} = any(array(
      ${connectorsReaching(principal)}))
    and exists (select from connector_items item join connectors source on source.id = item.connector_id
      where item.id = ${column('connector_item_id')} and item.connector_id = ${column('connector_id')}
        and item.removed_at is null and (source.rights = 'named'
          or (source.rights_read_at > now() - make_interval(hours => ${RIGHTS_HOURS}) and item.readers && ${keysOf(principal.id)}))))`
}

/** Selects the owners of the connectors that reach the principal. Their documents are theirs in the indexes of a search. */
export function ownersOfConnectors(principal: Principal): RawBuilder<unknown> {
  return sql`select source.user_id from connectors source where ${reaches(principal)}`
}

/** Selects the connectors that reach the principal. */
export function connectorsReaching(principal: Principal): RawBuilder<unknown> {
  return sql`select source.id from connectors source where ${reaches(principal)}`
}

function reaches(principal: Principal): Condition {
  if (principal.kind !== 'user' && principal.kind !== 'key') return sql<boolean>`false`
  return sql<boolean>`(source.removing is null and ((source.company_id is null and source.user_id = ${principal.id})
    or exists (select from connector_shares share where share.connector_id = source.id and ${isNamedIn(principal)})))`
}

/** The keys by which a source may name a person: the verified address, and groups with it. */
function keysOf(userId: string): RawBuilder<unknown> {
  const verified = sql`from users me where me.id = ${userId} and me.email_verified_at is not null`
  return sql`array(select 'user:' || lower(me.email) ${verified}
    union all select member.group_key from connector_members member
      where member.connector_id = source.id and member.address = (select lower(me.email) ${verified}))`
}
