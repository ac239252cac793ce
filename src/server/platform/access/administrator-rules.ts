import { type RawBuilder, sql } from 'kysely'
import { administeredBy, type Principal, reaches } from './principal.ts'

type Condition = RawBuilder<boolean>
type Column = (name: string) => RawBuilder<unknown>

/** Administrators of the company and super admins may choose it by name. */
export function mayAdminister(principal: Principal, column: Column): Condition {
  if (reaches(principal, 'super_admin')) return sql<boolean>`true`
  return sql<boolean>`${column('id')} = any(${administeredBy(principal)}::uuid[])`
}

/** Administrators of the company the row belongs to. */
export function mayAdministerItsCompany(principal: Principal, column: Column): Condition {
  if (reaches(principal, 'super_admin')) return sql<boolean>`true`
  return sql<boolean>`${column('company_id')} = any(${administeredBy(principal)}::uuid[])`
}

/** The recipients of an announcement and those who manage it. */
export function mayReadAnnouncement(principal: Principal, column: Column): Condition {
  const manages = mayManageAnnouncement(principal, column)
  if (principal.kind !== 'user') return manages
  return sql<boolean>`(${manages} or exists (select from announcements told
    where told.id = ${column('id')} and is_announced_to(told, ${principal.id})))`
}

/** Super admins, and administrators of every company it addresses. Only super admins manage announcements to everyone. */
export function mayManageAnnouncement(principal: Principal, column: Column): Condition {
  if (reaches(principal, 'super_admin')) return sql<boolean>`true`
  const companies = column('company_ids')
  return sql<boolean>`(${companies} <> '{}' and ${companies} <@ ${administeredBy(principal)}::uuid[])`
}

/** Administrators of the company a webhook belongs to, or of a company of the person it belongs to. */
export function mayManageMemberWebhook(principal: Principal, column: Column): Condition {
  const isOfMember = mayManageUser(principal, () => column('user_id'))
  return sql<boolean>`case when ${column('user_id')} is null then ${mayAdministerItsCompany(principal, column)}
    else ${isOfMember} end`
}

/** Administrators of the user's companies, and super admins. */
export function mayManageUser(principal: Principal, column: Column): Condition {
  if (reaches(principal, 'super_admin')) return sql<boolean>`true`
  return sql<boolean>`exists (select from company_members m
    where m.user_id = ${column('id')} and m.company_id = any(${administeredBy(principal)}::uuid[]))`
}
