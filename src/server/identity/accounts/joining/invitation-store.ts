import { type Kysely, sql, type Transaction } from 'kysely'
import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import type { Invitation } from '#shared/identity/accounts/joining.ts'
import { may, type Principal } from '../../../platform/access/access.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

type Row = Omit<Invitation, 'created_at' | 'sent_at' | 'expires_at'> & {
  created_at: Date
  sent_at: Date | null
  expires_at: Date
}

/** An invitation is valid while its author could still issue it. */
const isVouchedFor = sql<boolean>`exists (select from company_members m
  join users by on by.id = m.user_id and by.deactivated_at is null where m.user_id = i.invited_by
  and (m.role = 'super_admin' or (m.role = 'company_admin' and m.company_id = i.company_id and i.role <> 'super_admin')))`

const nameOfInviter = sql<string | null>`
  (select coalesce(nullif(full_name, ''), username) from users where users.id = i.invited_by)`

const columns = (now: Date) => sql`
  i.id, i.role, i.email, i.created_at, i.sent_at, i.expires_at, ${nameOfInviter} as invited_by,
  json_build_object('id', company.id, 'name', company.name) as company,
  case when i.used_at is not null then 'accepted'
    when i.expires_at <= ${now} or not ${isVouchedFor} then 'ended' else 'open' end as state`

/** Returns the invitations a principal may manage, newest first. */
export async function findInvitations(
  db: Db,
  principal: Principal,
  { now, skip, limit }: { now: Date; skip: number; limit: number },
): Promise<{ items: Invitation[]; total: number; open: number }> {
  const mine = may(principal, 'manage invitation', 'i')
  const { rows } = await sql<Row>`select ${columns(now)}
    from invitations i join companies company on company.id = i.company_id where ${mine}
    order by i.created_at desc, i.id limit ${limit} offset ${skip}`.execute(db)
  const counted = await sql<{ total: number; open: number }>`
    select count(*)::int as total,
      count(*) filter (where used_at is null and expires_at > ${now} and ${isVouchedFor})::int as open
    from invitations i where ${mine}`.execute(db)
  return { items: rows.map(toInvitation), ...(counted.rows[0] ?? { total: 0, open: 0 }) }
}

export async function findInvitation(db: Db, id: string, now: Date): Promise<Invitation | null> {
  const { rows } = await sql<Row>`select ${columns(now)}
    from invitations i join companies company on company.id = i.company_id where i.id = ${id}`.execute(db)
  return rows[0] ? toInvitation(rows[0]) : null
}

function toInvitation(row: Row): Invitation {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    sent_at: row.sent_at?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
  }
}

type NewInvitation = Pick<
  Tables['invitations'],
  'token_hash' | 'company_id' | 'role' | 'email' | 'invited_by'
> & { created_at: Date; expires_at: Date }

export async function insertInvitation(db: Db, invitation: NewInvitation): Promise<string> {
  const row = await db.insertInto('invitations').values(invitation).returning('id').executeTakeFirstOrThrow()
  return row.id
}

/** Issues a new link for an open invitation and invalidates the old one. Returns the recipient, or null when it has ended. */
export async function renewToken(
  db: Db,
  id: string,
  { tokenHash, now }: { tokenHash: Buffer; now: Date },
): Promise<{
  email: string
  company_id: string
  company: string
  invited_by: string | null
  language: string | null
} | null> {
  const { rows } = await sql<{
    email: string
    company_id: string
    company: string
    invited_by: string | null
    language: string | null
  }>`
    update invitations i set token_hash = ${tokenHash}, sent_at = ${now}
    from companies company
    where i.id = ${id} and company.id = i.company_id and i.email is not null and i.used_at is null
      and i.expires_at > ${now} and ${isVouchedFor}
    returning i.email, i.company_id, company.name as company, ${nameOfInviter} as invited_by,
      (select language from users where users.id = i.invited_by) as language`.execute(db)
  return rows[0] ?? null
}

/** Extends an unused invitation. Returns false when it was used. */
export async function prolong(db: Db, id: string, expiresAt: Date): Promise<boolean> {
  const changed = await db
    .updateTable('invitations')
    .set({ expires_at: expiresAt })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** Withdraws an unused invitation. Returns false when it was used. */
export async function removeInvitation(db: Db, id: string): Promise<boolean> {
  const gone = await db
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return gone.numDeletedRows > 0n
}

export type OpenInvitation = {
  id: string
  company_id: string
  company: string
  role: RoleName
  email: string | null
  invited_by: string | null
  expires_at: Date
}

/** Returns a valid invitation by its link or by a proved address. In a transaction it is locked. */
export async function findOpenInvitation(
  db: Db | Transaction<Tables>,
  by: { tokenHash: Buffer } | { email: string },
  now: Date,
): Promise<OpenInvitation | null> {
  const named =
    'tokenHash' in by
      ? sql<boolean>`i.token_hash = ${by.tokenHash}`
      : sql<boolean>`lower(i.email) = lower(${by.email})`
  const { rows } = await sql<OpenInvitation>`
    select i.id, i.company_id, company.name as company, i.role, i.email, i.expires_at,
      ${nameOfInviter} as invited_by
    from invitations i join companies company on company.id = i.company_id
    where ${named} and i.used_at is null and i.expires_at > ${now} and ${isVouchedFor}
    order by i.created_at desc, i.id limit 1 for update of i`.execute(db)
  return rows[0] ?? null
}

/** Uses an invitation and makes the user a member. An existing member keeps a higher role. */
export async function spendInvitation(
  trx: Transaction<Tables>,
  { id, company_id, role }: OpenInvitation,
  userId: string,
  now: Date,
): Promise<void> {
  await trx.updateTable('invitations').set({ used_at: now, used_by: userId }).where('id', '=', id).execute()
  await sql`insert into company_members as m (company_id, user_id, role) values (${company_id}, ${userId}, ${role})
    on conflict (company_id, user_id) do update set role = excluded.role
    where array_position(array['member', 'company_admin', 'super_admin'], excluded.role)
      > array_position(array['member', 'company_admin', 'super_admin'], m.role)`.execute(trx)
}

export async function isCompany(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('companies').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}
