import { type RawBuilder, sql } from 'kysely'
import type { Principal } from './principal.ts'

type Column = (name: string) => RawBuilder<unknown>

/**
 * The named approver of a call, and the deputy once it is their turn. Never the person of the run, and only people who are in the company
 * that named them.
 */
export function mayApprove(principal: Principal, column: Column): RawBuilder<boolean> {
  if (principal.kind !== 'user') return sql<boolean>`false`
  const isNamed = (
    person: string,
    group: string,
  ) => sql`(${column(person)} is not distinct from ${principal.id}::uuid
    or exists (select from group_members named where named.group_id = ${column(group)} and named.user_id = ${principal.id}))`
  return sql<boolean>`(${column('names_approver')} and ${column('user_id')} <> ${principal.id}
    and (${isNamed('approver_user_id', 'approver_group_id')}
      or (${column('deputy_from')} <= clock_timestamp() and ${isNamed('deputy_user_id', 'deputy_group_id')}))
    and exists (select from company_members naming
      where naming.company_id = ${column('approver_company_id')} and naming.user_id = ${principal.id}))`
}

/** A call with an approval that names the principal. */
export function mayApproveCall(principal: Principal, column: Column): RawBuilder<boolean> {
  return sql<boolean>`exists (select from input_requests asked where asked.tool_execution_id = ${column('id')}
    and ${mayApprove(principal, (name) => sql.ref(`asked.${name}`))})`
}
