import { type RawBuilder, sql } from 'kysely'
import type { Right } from '#shared/http.ts'
import { administeredBy, companiesOf, type Principal, reaches } from './principal.ts'

export type Condition = RawBuilder<boolean>
type Column = (name: string) => RawBuilder<unknown>
type Rule = (principal: Principal, column: Column, right: Right) => Condition

/**
 * Who may do what with a row, as a condition in SQL: what a list shows and what a single read answers are the same
 * decision, and it costs no statement of its own.
 */
const rules = {
  session: isOwn,
  run: isOwn,
  execution: isOwn,
  request: isOwn,
  file: isOwn,
  media: isOwn,
  'sign-in': isOwn,
  passkey: isOwn,
  assistant: (principal, column, right) =>
    right === 'read' ? mayUseAssistant(principal, column) : mayEditAssistant(principal, column),
  document: (principal, column, right) =>
    right === 'read' ? mayReadDocument(principal, column) : isOwn(principal, column),
  upload: isOwn,
  export: isOwn,
  link: isOwn,
  workspace: isOwn,
  tool: (principal, column, right) =>
    right === 'read' ? mayUseTools(principal, column, 'set_id') : isOwn(principal, column),
  'tool-set': (principal, column, right) =>
    right === 'read' ? mayUseTools(principal, column, 'id') : isOwn(principal, column),
  company: mayAdminister,
  user: mayManageUser,
  invitation: mayAdministerItsCompany,
  key: isOwn,
} satisfies Record<string, Rule>

/** A thing that is a row of its own. */
export type RowThing = keyof typeof rules

/** Where the rows of a thing stand. */
export const tables = {
  session: 'sessions',
  run: 'runs',
  execution: 'tool_executions',
  request: 'input_requests',
  file: 'input_files',
  media: 'media',
  'sign-in': 'access_tokens',
  passkey: 'passkeys',
  assistant: 'assistants',
  document: 'documents',
  upload: 'uploads',
  export: 'exports',
  link: 'share_links',
  workspace: 'workspaces',
  tool: 'own_tools',
  'tool-set': 'own_tool_sets',
  company: 'companies',
  user: 'users',
  invitation: 'invitations',
  key: 'access_keys',
} as const satisfies Record<RowThing, string>

/** Whether the principal may do that with a row of the thing's table, which the query knows as `alias`. */
export function may(
  principal: Principal,
  wish: `${Right} ${RowThing}`,
  alias: string = tables[splitWish(wish)[1]],
): Condition {
  const [right, thing] = splitWish(wish)
  return rules[thing](principal, (name) => sql.ref(`${alias}.${name}`), right)
}

/** Whether a row is the principal's own: a fact, and for most things the whole rule. */
export function isOwn(principal: Principal, column: Column): Condition {
  switch (principal.kind) {
    case 'user':
    case 'key':
      return sql<boolean>`${column('user_id')} = ${principal.id}`
    case 'anonymous':
    case 'link':
      return always(false)
    default:
      return principal satisfies never
  }
}

/** `write session` as its two words. */
export function splitWish<T extends string>(wish: `${Right} ${T}`): [Right, T] {
  return wish.split(' ') as [Right, T]
}

/** Its owner, and who administers the company it is shared in. */
function mayEditAssistant(principal: Principal, column: Column): Condition {
  return sql<boolean>`(${isOwn(principal, column)} or ${isSharedIn(administeredBy(principal), column)})`
}

/** Who may edit it, and when it is published everybody of the company it is shared in. */
function mayUseAssistant(principal: Principal, column: Column): Condition {
  const isColleague = isSharedIn(companiesOf(principal), column)
  return sql<boolean>`(${mayEditAssistant(principal, column)} or (${column('status')} = 'published' and ${isColleague}))`
}

/** Its owner, the members of the company it is shared with, and whoever has a link that shows it. */
function mayReadDocument(principal: Principal, column: Column): Condition {
  if (principal.kind === 'link')
    return sql<boolean>`exists (select from share_link_files f
      where f.link_id = ${principal.id} and f.document_id = ${column('id')})`
  return sql<boolean>`(${isOwn(principal, column)} or ${isSharedIn(companiesOf(principal), column)})`
}

/**
 * `may(principal, 'read document')` taken apart: conditions of which every row meets one at most, and each of which an index answers in
 * the order of a list.
 */
export function waysToReadDocument(principal: Principal, alias: string): [Condition, ...Condition[]] {
  const column: Column = (name) => sql.ref(`${alias}.${name}`)
  const own = isOwn(principal, column)
  const shared = companiesOf(principal).map(
    (company) => sql<boolean>`(${column('company_id')} = ${company} and not ${own})`,
  )
  return [own, ...shared]
}

/** Its owner, and the members of the companies its set is shared with. Its secrets are the owner's, who alone changes where they are sent. */
function mayUseTools(principal: Principal, column: Column, set: 'id' | 'set_id'): Condition {
  const companies = companiesOf(principal)
  if (companies.length === 0) return isOwn(principal, column)
  return sql<boolean>`(${isOwn(principal, column)} or exists (select from own_tool_shares share
    where share.set_id = ${column(set)} and share.company_id = any(${companies}::uuid[])))`
}

/** Whom a company's name is offered: its administrators, and super admins. */
function mayAdminister(principal: Principal, column: Column): Condition {
  if (reaches(principal, 'super_admin')) return always(true)
  return sql<boolean>`${column('id')} = any(${administeredBy(principal)}::uuid[])`
}

/** Who administers the company it belongs to. */
function mayAdministerItsCompany(principal: Principal, column: Column): Condition {
  if (reaches(principal, 'super_admin')) return always(true)
  return sql<boolean>`${column('company_id')} = any(${administeredBy(principal)}::uuid[])`
}

/** The administrators of their companies, and super admins. */
function mayManageUser(principal: Principal, column: Column): Condition {
  if (reaches(principal, 'super_admin')) return always(true)
  return sql<boolean>`exists (select from company_members m
    where m.user_id = ${column('id')} and m.company_id = any(${administeredBy(principal)}::uuid[]))`
}

/** What is shared with nobody has no company; that is an answer too. Written so that indexes can be used, also those of the owner. */
function isSharedIn(companies: string[], column: Column): Condition {
  if (companies.length === 0) return always(false)
  const company = column('company_id')
  return sql<boolean>`(${company} is not null and ${company} = any(${companies}::uuid[]))`
}

function always(answer: boolean): Condition {
  return answer ? sql<boolean>`true` : sql<boolean>`false`
}
