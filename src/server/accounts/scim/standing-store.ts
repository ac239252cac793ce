import { sql, type Transaction } from 'kysely'
import type { RoleName } from '#shared/accounts/accounts.ts'
import { superAdmins } from '../../administration/administration.ts'
import type { Tables } from '../../db/tables.ts'

type Trx = Transaction<Tables>

/** What a person is to a company, and so what its directory may change about them. */
export type Standing = {
  /** Null for a person who is not in the company. */
  role: RoleName | null
  /** A super admin of any company: no directory changes them. */
  isSuperAdmin: boolean
  /** They belong to another company too. */
  isElsewhere: boolean
  /** The account is the company's alone: its directory decides about the account as a whole. */
  isOwn: boolean
  isDeactivated: boolean
  /** This directory shut the account out, and may let it in again. */
  isDeactivatedHere: boolean
  /** This directory ended the membership, and may bring it back. */
  isEndedHere: boolean
  fullName: string | null
  language: string
  email: string
  isProved: boolean
}

/** Reads the standing of a person and locks it until the transaction ends; null when the account is gone. */
export async function lockStanding(trx: Trx, companyId: string, userId: string): Promise<Standing | null> {
  // In the order in which the administration locks.
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

/** Shuts an account out in the name of a directory, or lets it in again. */
export async function setDeactivated(
  trx: Trx,
  userId: string,
  by: { companyId: string; at: Date } | null,
): Promise<void> {
  await sql`update users set deactivated_at = ${by?.at ?? null}, deactivated_by_directory = ${by?.companyId ?? null}
    where id = ${userId}`.execute(trx)
}

/** Ends every sign-in and every key of a person, on every process. */
export async function endAccess(trx: Trx, userId: string): Promise<void> {
  await sql`delete from access_tokens where user_id = ${userId}`.execute(trx)
  await sql`delete from pending_sign_ins where user_id = ${userId}`.execute(trx)
  await sql`delete from one_time_tokens where user_id = ${userId}`.execute(trx)
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
