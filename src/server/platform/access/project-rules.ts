import { type RawBuilder, sql } from 'kysely'
import { type ProjectAction, roleTable } from '#shared/chat/projects/roles.ts'
import type { Right } from '#shared/platform/http.ts'
import { companiesOf, type Principal } from './principal.ts'

type Column = RawBuilder<unknown>

/** Actions that an archived project allows. */
const whileArchived: readonly ProjectAction[] = [
  'read_chats',
  'stop_replies',
  'read_documents',
  'duplicate_project',
  'archive_project',
  'delete_project',
]

/** Returns the condition that the project of a row allows an action: archived ones allow only some. */
const isOpenFor = (action: ProjectAction, project: string): RawBuilder<boolean> =>
  whileArchived.includes(action)
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(`${project}.archived_at`)} is null`

/** Returns the condition that a row is not of an archived project. The column has the id of its project. */
export function isNotArchived(workspaceId: Column): RawBuilder<boolean> {
  return sql<boolean>`not exists (select from workspaces closed
    where closed.id = ${workspaceId} and closed.archived_at is not null)`
}

/** Returns the condition that the principal has the role for an action in a project: as its owner, or by membership. */
export function hasRoleFor(
  principal: Principal,
  column: (name: string) => Column,
  action: ProjectAction,
): RawBuilder<boolean> {
  if (principal.kind !== 'user' && principal.kind !== 'key') return sql<boolean>`false`
  const isOpen = whileArchived.includes(action) ? sql`true` : sql`${column('archived_at')} is null`
  return sql<boolean>`(${isOpen} and (${column('user_id')} = ${principal.id}
    or ${mayInProject(principal, column('id'), action)}))`
}

/** Returns the condition that a project allows the principal an action by membership. The owner is not a member. */
export function mayInProject(principal: Principal, id: Column, action: ProjectAction): RawBuilder<boolean> {
  return sql<boolean>`${id} = any(array(${membershipsOf(principal, action)}))`
}

/** Selects the projects that allow the principal an action, as an array: theirs, and those whose members they are. */
export function projectsThatAllow(principal: Principal, action: ProjectAction): Column {
  if (principal.kind !== 'user' && principal.kind !== 'key') return sql`array[]::uuid[]`
  return sql`array(select owned.id from workspaces owned where owned.user_id = ${principal.id}
      and ${isOpenFor(action, 'owned')}
    union all ${membershipsOf(principal, action)})`
}

/** Actions in a project that give each right to its facts. */
const factAction = {
  read: 'read_documents',
  write: 'add_documents',
  manage: 'add_documents',
} as const satisfies Record<Right, ProjectAction>

/** A fact belongs to the person who told it or, when it has a project, to the members of that. */
export function isFactOf(
  principal: Principal,
  column: (name: string) => Column,
  right: Right,
): RawBuilder<boolean> {
  if (principal.kind !== 'user' && principal.kind !== 'key') return sql<boolean>`false`
  return sql<boolean>`((${column('workspace_id')} is null and ${column('user_id')} = ${principal.id})
    or ${column('workspace_id')} = any(${projectsThatAllow(principal, factAction[right])}))`
}

/** Actions in a project that allow members to use and to edit the prompts that are shared with it. */
const promptAction = { use: 'read_documents', edit: 'add_documents' } as const

/**
 * Returns the condition that a row `share` of `prompt_shares` reaches the principal through a project. Editing needs a share
 * for editing and a role that adds documents. The share ends when its author leaves the project.
 */
export function isSharedWithProjectOf(
  principal: Principal,
  owner: Column,
  access: 'use' | 'edit' = 'use',
): RawBuilder<boolean> {
  return sql<boolean>`(share.workspace_id = any(${projectsThatAllow(principal, promptAction[access])})
    and exists (select from people_of_project(share.workspace_id) author where author = coalesce(share.shared_by, ${owner})))`
}

/** Selects the ids of projects where a role of the principal allows an action. */
function membershipsOf(principal: Principal, action: ProjectAction): Column {
  if (principal.kind !== 'user' && principal.kind !== 'key') return sql`select null::uuid where false`
  return sql`select member.workspace_id from workspace_members member
      join workspaces joined_project on joined_project.id = member.workspace_id and ${isOpenFor(action, 'joined_project')}
    where member.role = any(${[...roleTable[action]]}::text[]) and ${isMember(principal)}`
}

/** Returns the condition that a row `member` of `workspace_members` names the principal, or a group of theirs. */
export function isMember(principal: Principal): RawBuilder<boolean> {
  if (principal.kind !== 'user' && principal.kind !== 'key') return sql<boolean>`false`
  return sql<boolean>`(member.group_id in (select joined.group_id from group_members joined where joined.user_id = ${principal.id})
    or (member.person_id = ${principal.id}
      and (member.within is null or member.within = any(${companiesOf(principal)}::uuid[]))))`
}

/** Selects the company whose administrators name the manager of a project: that of an owner who left or is deactivated. */
export function namingCompany(column: (name: string) => Column): Column {
  return sql`coalesce(${column('managed_by')}, first_company(${column('user_id')}))`
}
