import { sql, type Transaction } from 'kysely'
import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { superAdmins } from '../../administration/administration.ts'

type Trx = Transaction<Tables>

/** A user's relation to a company, which determines what its directory may change. */
export type Standing = {
  /** Null when the user is not in the company. */
  role: RoleName | null
  /** A super admin of any company. Directories cannot change them. */
  isSuperAdmin: boolean
  /** The user also belongs to another company. */
  isElsewhere: boolean
  /** The account belongs to this company alone, so its directory controls the whole account. */
  isOwn: boolean
  isDeactivated: boolean
  /** This directory deactivated the account and may reactivate it. */
  isDeactivatedHere: boolean
  /** This directory ended the membership and may restore it. */
  isEndedHere: boolean
  fullName: string | null
  language: string
  email: string
  isProved: boolean
}

/** Returns a user's standing and locks it until the transaction ends; null when the account is deleted. */
export async function lockStanding(trx: Trx, companyId: string, userId: string): Promise<Standing | null> {
  // Uses the lock order of the administration.
  const isSuperAdmin = (await superAdmins(trx)).includes(userId)
  const { rows: users } = await sql<Account>`
    select full_name, language, email, email_verified_at is not null as is_proved, deactivated_at is not null as is_deactivated,
      deactivated_by_directory from users where id = ${userId} for update`.execute(trx)
  const [account] = users
  if (!account) return null
  const { rows: memberships } = await sql<{ company_id: string; role: RoleName }>`
    select company_id, role from company_members where user_id = ${userId} order by company_id limit 10000
    for update`.execute(trx)
  const { rows: known } = await sql<{ company_id: string; active: boolean }>`
    select company_id, active from scim_users where user_id = ${userId} order by company_id limit 10000`.execute(
    trx,
  )
  const role = memberships.find(({ company_id }) => company_id === companyId)?.role ?? null
  const isElsewhere = memberships.some(({ company_id }) => company_id !== companyId)
  const isKnownElsewhere = known.some(({ company_id }) => company_id !== companyId)
  return {
    ...{ role, isSuperAdmin, isElsewhere },
    isOwn: !isSuperAdmin && !isElsewhere && (role !== null || !isKnownElsewhere),
    isDeactivated: account.is_deactivated,
    isDeactivatedHere: account.is_deactivated && account.deactivated_by_directory === companyId,
    isEndedHere: known.some(({ company_id, active }) => company_id === companyId && !active),
    ...{ fullName: account.full_name, language: account.language },
    ...{ email: account.email, isProved: account.is_proved },
  }
}

type Account = {
  full_name: string | null
  language: string
  email: string
  is_proved: boolean
  is_deactivated: boolean
  deactivated_by_directory: string | null
}

/** Returns those of the users whose accounts are active. */
export async function activeAmong(trx: Trx, userIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from users
    where id = any(${userIds}::uuid[]) and deactivated_at is null order by id limit 1000000`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Notes that the roles of those users whose accounts are deactivated follow their groups later. */
export async function holdRoles(trx: Trx, companyId: string, userIds: string[]): Promise<void> {
  await sql`update company_members m set is_role_held = true from users u
    where u.id = m.user_id and u.deactivated_at is not null
      and m.company_id = ${companyId} and m.user_id = any(${userIds}::uuid[])`.execute(trx)
}

/** Returns the companies in which a user's role is held, and ends this. */
export async function takeHeldRoles(trx: Trx, userId: string): Promise<string[]> {
  const { rows } = await sql<{ company_id: string }>`update company_members set is_role_held = false
    where user_id = ${userId} and is_role_held returning company_id`.execute(trx)
  return rows.map(({ company_id }) => company_id).sort()
}

/** Deactivates or reactivates an account on behalf of a directory. */
export async function setDeactivated(
  trx: Trx,
  userId: string,
  by: { companyId: string; at: Date } | null,
): Promise<void> {
  await sql`update users set deactivated_at = ${by?.at ?? null}, deactivated_by_directory = ${by?.companyId ?? null}
    where id = ${userId}`.execute(trx)
}

/** Ends every session and key of a user, on every process. */
export async function endAccess(trx: Trx, userId: string): Promise<void> {
  await sql`delete from access_tokens where user_id = ${userId}`.execute(trx)
  await sql`delete from pending_sign_ins where user_id = ${userId}`.execute(trx)
  await sql`delete from one_time_tokens where user_id = ${userId}`.execute(trx)
  await sql`delete from sign_on_states where user_id = ${userId}`.execute(trx)
  await sql`delete from program_codes where user_id = ${userId}`.execute(trx)
  await sql`update access_keys set revoked_at = now() where user_id = ${userId} and revoked_at is null`.execute(
    trx,
  )
}

export async function setNames(
  trx: Trx,
  userId: string,
  { fullName, language }: { fullName: string | null; language: string },
): Promise<void> {
  await sql`update users set full_name = ${fullName}, language = ${language} where id = ${userId}`.execute(
    trx,
  )
}
