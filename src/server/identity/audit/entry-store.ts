import { type Kysely, sql } from 'kysely'
import type { AuditAction, AuditChange } from '#shared/identity/audit/audit.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Actor } from './actor.ts'

type NewAuditEntry = {
  actor: Actor
  did: AuditAction
  /** The name of what it was done to. */
  subject: string
  subjectId?: string | null
  /** Whose administrators see it besides super admins. */
  companyId?: string | null
  refused?: boolean
  changes?: AuditChange[]
}

/** More of a name or a value tells nobody more. */
const LONGEST = 200

/** Somebody by their id, as the one who did it: their name, and the company whose administrators see it. */
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
 * Adds an entry in the transaction of the change it records. Entries come one after the other until the commit, so this is its last
 * statement.
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
