import { type RawBuilder, sql } from 'kysely'
import { companiesOf, type Principal } from './principal.ts'
import { isSharedWithProjectOf } from './project-rules.ts'

/**
 * Returns the condition that a row `share` of `assistant_shares` or `prompt_shares` reaches the principal. A share with a company outlives the
 * membership of its author, because administrators of that company manage the thing too.
 */
export function isAssistantRecipient(principal: Principal, owner: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${isNamedIn(principal)} and (share.company_id is not null or ${isGranted(owner)}))`
}

/** Returns the condition that a row `share` of `prompt_shares` reaches the principal, directly or through a project. */
export function isPromptRecipient(
  principal: Principal,
  owner: RawBuilder<unknown>,
  access: 'use' | 'edit' = 'use',
): RawBuilder<boolean> {
  const isFor = access === 'edit' ? sql`and share.access = 'edit'` : sql``
  return sql<boolean>`((${isAssistantRecipient(principal, owner)}
    or ${isSharedWithProjectOf(principal, owner, access)}) ${isFor})`
}

/**
 * Returns the condition that a row `share` of `own_tool_shares` reaches the principal. Its owner decides where a tool sends
 * data, so the share ends when they leave the company.
 */
export function isToolRecipient(principal: Principal, owner: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${isNamedIn(principal)} and ${isGranted(owner)})`
}

/** Everybody, the members of a company or a group, or one person, who must still belong to the company they were chosen in. */
export function isNamedIn(principal: Principal): RawBuilder<boolean> {
  if (principal.kind !== 'user' && principal.kind !== 'key') return sql<boolean>`false`
  const companies = sql`any(${companiesOf(principal)}::uuid[])`
  return sql<boolean>`(share.everybody or share.company_id = ${companies}
    or share.group_id in (select joined.group_id from group_members joined where joined.user_id = ${principal.id})
    or (share.person_id = ${principal.id} and (share.within is null or share.within = ${companies})))`
}

/** The author of the share is a super admin or still belongs to its company. Shares without an author count as the owner's. */
function isGranted(owner: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from company_members author
    where author.user_id = coalesce(share.shared_by, ${owner}) and (author.role = 'super_admin'
      or author.company_id = coalesce(share.company_id, share.within,
        (select named.company_id from groups named where named.id = share.group_id))))`
}
