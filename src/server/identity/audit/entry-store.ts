import { type Kysely, sql } from 'kysely'
import type { AuditAction, AuditChange } from '#shared/identity/audit/audit.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Actor } from './actor.ts'

type NewAuditEntry = {
  actor: Actor
  did: AuditAction
  /** Name of the object. */
  subject: string
  subjectId?: string | null
  /** The company whose administrators see the entry, besides super admins. */
  companyId?: string | null
  refused?: boolean
  changes?: AuditChange[]
}

/** Maximum length of names and values. */
const LONGEST = 200

/** Returns a user as the actor, with their company. */
export async function actorById(
  trx: Kysely<Tables>,
  id: string,
  address: string | null,
): Promise<{ actor: Actor; companyId: string | null }> {
  const { rows } = await sql<{ name: string; company_id: string | null }>`
    select coalesce(nullif(trim(full_name), ''), username) as name, (select company_id from company_members m
      join companies c on c.id = m.company_id where m.user_id = users.id order by c.created_at, c.id limit 1) as company_id
    from users where id = ${id}`.execute(trx)
  const [found] = rows
  return { actor: { id, name: found?.name ?? '', address }, companyId: found?.company_id ?? null }
}

/**
 * Adds an entry in the transaction of its change. The chain serialises entries until the commit, so call this last in
 * the transaction.
 */
export async function writeAudit(
  trx: Kysely<Tables>,
  at: Date,
  { actor, did, subject, subjectId = null, companyId = null, refused = false, changes = [] }: NewAuditEntry,
): Promise<void> {
  const kept = changes.map(({ what, before, after }) => ({ what, before: cut(before), after: cut(after) }))
  await sql`insert into audit_entries
    (at, actor_id, actor_name, did, subject_id, subject, company_id, company, address, refused, changes)
    values (${at}, ${actor.id}, ${cut(actor.name)}, ${did}, ${subjectId}, ${cut(subject)}, ${companyId},
      (select name from companies where id = ${companyId}), ${actor.address}, ${refused}, ${JSON.stringify(kept)})`.execute(
    trx,
  )
}

function cut<T extends string | null>(text: T): T {
  return text === null || text.length <= LONGEST ? text : (`${text.slice(0, LONGEST).toWellFormed()}…` as T)
}
