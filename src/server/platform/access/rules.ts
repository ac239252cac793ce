import { type RawBuilder, sql } from 'kysely'
import type { ProjectAction } from '#shared/chat/projects/roles.ts'
import type { Right } from '#shared/platform/http.ts'
import {
  mayAdminister,
  mayAdministerItsCompany,
  mayManageAnnouncement,
  mayManageMemberWebhook,
  mayManageUser,
  mayReadAnnouncement,
} from './administrator-rules.ts'
import { mayApprove, mayApproveCall } from './approver-rules.ts'
import { holdsForAll } from './audience.ts'
import { isOfConnector, isReadableItem, mayManageConnector } from './connector-rules.ts'
import { administeredBy, companiesOf, type Person, type Principal, type Visitor } from './principal.ts'
import { hasRoleFor, isFactOf, isNotArchived, namingCompany, projectsThatAllow } from './project-rules.ts'
import { isAssistantRecipient, isPromptRecipient, isToolRecipient } from './recipient-rules.ts'
import { isOfferedTo, mayAnswerAsDeputy, scheduleTables } from './schedule-rules.ts'

export type Condition = RawBuilder<boolean>
type Column = (name: string) => RawBuilder<unknown>
type Rule = (principal: Principal, column: Column, right: Right) => Condition

/**
 * Access rules as SQL conditions. Lists and single reads share them, so both make the same decision without an extra query.
 */
const rules = {
  session: isOfPerson,
  reply: mayStopReply,
  run: isOfOwnChat,
  execution: isOfOwnChat,
  request: mayAnswer,
  file: isOwn,
  media: (principal, column, right) =>
    principal.kind === 'visitor'
      ? isOfVisit(principal, runOf(column))
      : sql<boolean>`(${isOwn(principal, column)} or ${isInReadableChat(principal, runOf(column), right)})`,
  'sign-in': isOwn,
  passkey: isOwn,
  assistant: (principal, column, right) => {
    if (right === 'read') return mayUseAssistant(principal, column)
    return right === 'write' ? mayEditAssistant(principal, column) : mayManageAssistant(principal, column)
  },
  prompt: (principal, column, right) => {
    if (right === 'manage') return mayManagePrompt(principal, column)
    return sql<boolean>`(${mayManagePrompt(principal, column)} or ${isPromptSharedWith(principal, column, right)})`
  },
  fact: isFactOf,
  document: (principal, column, right) =>
    right === 'read' ? mayReadDocument(principal, column) : isOwnDocument(principal, column),
  connector: (principal, column) => mayManageConnector(principal, column),
  upload: isOwn,
  export: isOwn,
  import: isOwn,
  link: isOwn,
  workspace: (principal, column, right) => hasRoleFor(principal, column, workspaceAction[right]),
  project: (principal, column, right) => hasRoleFor(principal, column, projectAction[right]),
  'unmanaged-project': (principal, column) =>
    sql<boolean>`(lacks_manager(${column('id')}, ${column('user_id')}) and ${mayAdministerItsCompany(
      principal,
      () => namingCompany(column),
    )})`,
  tool: (principal, column, right) =>
    right === 'read' ? mayUseTools(principal, column, 'set_id') : isOwn(principal, column),
  'tool-set': (principal, column, right) =>
    right === 'read' ? mayUseTools(principal, column, 'id') : isOwn(principal, column),
  company: mayAdminister,
  group: mayAdministerItsCompany,
  user: mayManageUser,
  invitation: mayAdministerItsCompany,
  key: isOwn,
  webhook: mayManageWebhook,
  'member-key': (principal, column) => mayManageUser(principal, () => column('user_id')),
  'member-webhook': mayManageMemberWebhook,
  schedule: isOwn,
  'offered-schedule': isOfferedTo,
  'member-schedule': (principal, column) => mayManageUser(principal, () => column('user_id')),
  'deputy-question': mayAnswerAsDeputy,
  approval: mayApproveCall,
  announcement: (principal, column, right) =>
    right === 'read' ? mayReadAnnouncement(principal, column) : mayManageAnnouncement(principal, column),
} satisfies Record<string, Rule>

/** A thing stored as a row of its own. */
export type RowThing = keyof typeof rules

/** Table of each thing. */
export const tables = {
  session: 'sessions',
  reply: 'sessions',
  run: 'runs',
  execution: 'tool_executions',
  approval: 'tool_executions',
  request: 'input_requests',
  file: 'input_files',
  media: 'media',
  'sign-in': 'access_tokens',
  passkey: 'passkeys',
  assistant: 'assistants',
  prompt: 'prompts',
  fact: 'facts',
  document: 'documents',
  connector: 'connectors',
  upload: 'uploads',
  export: 'exports',
  import: 'imports',
  link: 'share_links',
  workspace: 'workspaces',
  project: 'workspaces',
  'unmanaged-project': 'workspaces',
  tool: 'own_tools',
  'tool-set': 'own_tool_sets',
  company: 'companies',
  group: 'groups',
  user: 'users',
  invitation: 'invitations',
  key: 'access_keys',
  webhook: 'webhooks',
  'member-key': 'access_keys',
  'member-webhook': 'webhooks',
  ...scheduleTables,
  announcement: 'announcements',
} as const satisfies Record<RowThing, string>

/** Returns the condition that the principal has a right to a row. `alias` is the table's alias in the query. */
export function may(
  principal: Principal,
  wish: `${Right} ${RowThing}`,
  alias: string = tables[splitWish(wish)[1]],
): Condition {
  const [right, thing] = splitWish(wish)
  const column: Column = (name) => sql.ref(`${alias}.${name}`)
  const rule = holdsForAll(principal, thing, (one) => rules[thing](one, column, right))
  return canBeInTrash.has(thing) ? sql<boolean>`(${rule} and ${isPresent(thing, alias)})` : rule
}

/** Things that the trash hides: chats and documents, and what belongs to a chat. */
const canBeInTrash = new Set<RowThing>([
  ...([
    'session',
    'reply',
    'document',
    'run',
    'execution',
    'approval',
    'request',
    'media',
    'file',
    'export',
    'link',
  ] as const),
])

/** Returns the condition that a row is neither in the trash nor of a temporary chat that has ended. The only place that decides it. */
export function isPresent(thing: RowThing, alias: string): Condition {
  const column: Column = (name) => sql.ref(`${alias}.${name}`)
  switch (thing) {
    case 'session':
    case 'reply':
      return sql<boolean>`(${column('deleted_at')} is null and (${column('lease_until')} is null or ${column('lease_until')} > now()))`
    case 'document':
      return sql<boolean>`${column('deleted_at')} is null`
    case 'run':
    case 'execution':
    case 'approval':
    case 'request':
    case 'export':
    case 'link':
      return isOfPresentChat(column('session_id'))
    case 'media':
    case 'file':
      return isOfPresentChat(runOf(column))
    default:
      return always(true)
  }
}

/** Returns the condition that a chat or document is in the trash of the principal. */
export function isInTrashOf(principal: Principal, alias: string): Condition {
  const column: Column = (name) => sql.ref(`${alias}.${name}`)
  return sql<boolean>`(${isOwn(principal, column)} and ${column('deleted_at')} is not null)`
}

function isOfPresentChat(sessionId: RawBuilder<unknown>): Condition {
  return sql<boolean>`not exists (select from sessions trashed
    where trashed.id = ${sessionId} and (trashed.deleted_at is not null or trashed.lease_until <= now()))`
}

/** Returns the condition that the principal owns a row. For most things this is the whole rule. */
export function isOwn(principal: Principal, column: Column): Condition {
  switch (principal.kind) {
    case 'user':
    case 'key':
      return sql<boolean>`${column('user_id')} = ${principal.id}`
    case 'anonymous':
    case 'link':
    case 'visitor':
      return always(false)
    default:
      return principal satisfies never
  }
}

/** Splits a wish such as `write session` into right and thing. */
export function splitWish<T extends string>(wish: `${Right} ${T}`): [Right, T] {
  return wish.split(' ') as [Right, T]
}

/** Actions in a project that give each right to a workspace, and to a chat shared with its project. */
const workspaceAction = {
  read: 'read_documents',
  write: 'add_documents',
  manage: 'change_settings',
} as const satisfies Record<Right, ProjectAction>
/** Actions that give each right to the lifecycle of a project, whether or not it is archived. */
const projectAction = {
  read: 'duplicate_project',
  write: 'archive_project',
  manage: 'delete_project',
} as const satisfies Record<Right, ProjectAction>
const chatAction = { read: 'read_chats', write: 'reply_in_chats' } as const

/** A chat belongs to its visitor if it has one, otherwise to its owner. Members read and reply in chats shared with their project. No one writes in an archived one. */
function isOfPerson(principal: Principal, column: Column, right: Right): Condition {
  if (principal.kind === 'visitor') return sql<boolean>`${column('visitor_id')} = ${principal.visitor.id}`
  if (right === 'manage') return isOwn(principal, column)
  const isShared = isSharedFor(principal, column, chatAction[right])
  if (right === 'read') return sql<boolean>`(${isOwn(principal, column)} or ${isShared})`
  return sql<boolean>`((${isOwn(principal, column)} and ${isNotArchived(column('workspace_id'))}) or ${isShared})`
}

function isSharedFor(principal: Principal, column: Column, action: ProjectAction): Condition {
  return sql<boolean>`(${column('shared_with_project')} and ${column('workspace_id')} = any(${projectsThatAllow(principal, action)}))`
}

/** The reply in a chat: everybody who may write there stops it, also once the project is archived. */
function mayStopReply(principal: Principal, column: Column, right: Right): Condition {
  if (right === 'read') return isOfPerson(principal, column, right)
  return sql<boolean>`(${isOfPerson(principal, column, 'manage')} or ${isSharedFor(principal, column, 'stop_replies')})`
}

/**
 * Things in a chat belong to its visitor if it has one, otherwise to the person whose message led to them. Everybody who may
 * read the chat reads them. A person who may no longer read it loses their own too.
 */
function isOfOwnChat(principal: Principal, column: Column, right: Right): Condition {
  if (principal.kind === 'visitor') return isOfVisit(principal, column('session_id'))
  const own = isOwn(principal, column)
  const isInChat = isInReadableChat(principal, column('session_id'), right)
  if (right === 'read') return sql<boolean>`(${isInChat} or (${column('session_id')} is null and ${own}))`
  return sql<boolean>`(${own} and (${column('session_id')} is null or ${isInChat}))`
}

/** A request belongs to the person of the run; one that names its approver is answered by them alone. */
function mayAnswer(principal: Principal, column: Column, right: Right): Condition {
  const own = isOfOwnChat(principal, column, right)
  const approves = mayApprove(principal, column)
  if (right === 'read') return sql<boolean>`(${own} or ${approves})`
  return sql<boolean>`(case when ${column('names_approver')} then ${approves} else ${own} end)`
}

function isInReadableChat(principal: Principal, sessionId: RawBuilder<unknown>, right: Right): Condition {
  const column: Column = (name) => sql.ref(`chat.${name}`)
  const wish = right === 'manage' ? 'write' : right
  return sql<boolean>`exists (select from sessions chat where chat.id = ${sessionId}
    and ${isOfPerson(principal, column, wish)})`
}

function isOfVisit({ visitor }: Visitor, sessionId: RawBuilder<unknown>): Condition {
  return sql<boolean>`exists (select from sessions visited
    where visited.id = ${sessionId} and visited.visitor_id = ${visitor.id})`
}

/** Selects the chat of the run that made a file. */
function runOf(column: Column): RawBuilder<unknown> {
  return sql`(select made.session_id from runs made where made.id = ${column('run_id')})`
}

/** The owner and the administrators of companies it is shared with may share, transfer and delete it. */
function mayManageAssistant(principal: Principal, column: Column): Condition {
  return sql<boolean>`(${isOwn(principal, column)} or ${isSharedWith(administeredBy(principal), column)})`
}

/** Those who manage it, and members of companies that have it shared for editing. */
function mayEditAssistant(principal: Principal, column: Column): Condition {
  const isEditor = isSharedWith(companiesOf(principal), column, 'edit')
  return sql<boolean>`(${mayManageAssistant(principal, column)} or ${isEditor})`
}

/** Those who may edit it and, once it is published, those it is shared with. */
function mayUseAssistant(principal: Principal, column: Column): Condition {
  if (principal.kind === 'visitor') return sql<boolean>`${column('id')} = ${principal.visitor.assistant_id}`
  return sql<boolean>`(${mayEditAssistant(principal, column)} or (${column('status')} = 'published'
    and exists (select from assistant_shares share
      where share.assistant_id = ${column('id')} and ${isAssistantRecipient(principal, column('user_id'))})))`
}

/** The owner and the administrators of companies it is shared with may share and delete it. */
function mayManagePrompt(principal: Principal, column: Column): Condition {
  const companies = administeredBy(principal)
  if (companies.length === 0) return isOwn(principal, column)
  return sql<boolean>`(${isOwn(principal, column)} or exists (select from prompt_shares share
    where share.prompt_id = ${column('id')} and share.company_id = any(${companies}::uuid[])))`
}

function isPromptSharedWith(principal: Principal, column: Column, right: 'read' | 'write'): Condition {
  const isReached = isPromptRecipient(principal, column('user_id'), right === 'write' ? 'edit' : 'use')
  return sql<boolean>`exists (select from prompt_shares share
    where share.prompt_id = ${column('id')} and ${isReached})`
}

/** The owner, members of the company it is shared with, holders of a link to it, and visitors of an assistant that uses it. */
function mayReadDocument(principal: Principal, column: Column): Condition {
  if (principal.kind === 'link')
    return sql<boolean>`exists (select from share_link_files f
      where f.link_id = ${principal.id} and f.document_id = ${column('id')})`
  if (principal.kind === 'visitor') return mayBeQuoted(principal, column)
  return sql<boolean>`(${isOwnDocument(principal, column)} or ${isSharedIn(companiesOf(principal), column)}
    or ${isInProject(principal, column)} or ${isReadableItem(principal, column)})`
}

/** A document that the principal added. No one changes documents of connectors. */
function isOwnDocument(principal: Principal, column: Column): Condition {
  return sql<boolean>`(${isOwn(principal, column)} and not ${isOfConnector(column)})`
}

/** A document that its owner added to a project of the principal. An array, so that indexes remain usable. */
export function isInProject(principal: Principal, column: Column): Condition {
  if (principal.kind !== 'user' && principal.kind !== 'key') return always(false)
  return sql<boolean>`${column('id')} = any(array(
    select placed.document_id from workspace_documents placed join documents added on added.id = placed.document_id
    where placed.added_by = added.user_id and added.connector_id is null
      and placed.workspace_id = any(${projectsThatAllow(principal, 'read_documents')})))`
}

/** A document of the embedded assistant, while the paying user may read it. */
function mayBeQuoted(principal: Person & Visitor, column: Column): Condition {
  const { visitor, ...payer } = principal
  const person: Principal = { ...payer, kind: 'user' }
  return sql<boolean>`(${mayReadDocument(person, column)} and ${column('id')} in (
    select named::uuid from assistants a, jsonb_array_elements_text(a.documents) named
    where a.id = ${visitor.assistant_id}))`
}

/**
 * Splits `may(principal, 'read document')` into disjoint conditions. Each row meets at most one of them, and an index
 * answers each in list order.
 */
export function waysToReadDocument(principal: Principal, alias: string): [Condition, ...Condition[]] {
  const column: Column = (name) => sql.ref(`${alias}.${name}`)
  const isForAll = holdsForAll(principal, 'document', (one) =>
    one === principal ? always(true) : mayReadDocument(one, column),
  )
  const present = (way: Condition) =>
    sql<boolean>`(${way} and ${isForAll} and ${isPresent('document', alias)})`
  if (principal.kind === 'visitor') return [present(mayBeQuoted(principal, column))]
  const own = isOwnDocument(principal, column)
  const companies = companiesOf(principal)
  const shared = companies.map((company) =>
    present(sql<boolean>`${column('company_id')} = ${company} and not ${own}`),
  )
  const isElsewhere = sql`not ${own} and not coalesce(${column('company_id')} = any(${companies}::uuid[]), false)`
  const inProject = present(sql<boolean>`${isInProject(principal, column)} and ${isElsewhere}`)
  return [present(own), ...shared, inProject, present(isReadableItem(principal, column))]
}

/** The owner and those the set is shared with. Only the owner changes where its secrets are sent. */
function mayUseTools(principal: Principal, column: Column, set: 'id' | 'set_id'): Condition {
  return sql<boolean>`(${isOwn(principal, column)} or exists (select from own_tool_shares share
    where share.set_id = ${column(set)} and ${isToolRecipient(principal, column('user_id'))}))`
}

/** The owner manages a personal webhook; administrators manage those of their company. */
function mayManageWebhook(principal: Principal, column: Column): Condition {
  return sql<boolean>`(${isOwn(principal, column)} or ${isSharedIn(administeredBy(principal), column)})`
}

/** Returns the condition that an assistant is shared with one of these companies, optionally only for editing. */
function isSharedWith(companies: string[], column: Column, access?: 'edit'): Condition {
  if (companies.length === 0) return always(false)
  const isFor = access ? sql`and share.access = ${access}` : sql``
  return sql<boolean>`exists (select from assistant_shares share where share.assistant_id = ${column('id')}
    and share.company_id = any(${companies}::uuid[]) ${isFor})`
}

/** Returns a definite false for rows without a company. Written so that the owner's index and others remain usable. */
function isSharedIn(companies: string[], column: Column): Condition {
  if (companies.length === 0) return always(false)
  const company = column('company_id')
  return sql<boolean>`(${company} is not null and ${company} = any(${companies}::uuid[]))`
}

function always(answer: boolean): Condition {
  return answer ? sql<boolean>`true` : sql<boolean>`false`
}
