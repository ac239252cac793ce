import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { User } from '#shared/identity/accounts/accounts.ts'
import type { AuditAction, AuditChange } from '#shared/identity/audit/audit.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Clock } from '../../platform/platform.ts'
import { actorOf } from './actor.ts'
import { writeAudit } from './entry-store.ts'

/** The action, without actor and address. */
export type Done = {
  did: AuditAction
  /** The object of the action. For chats and documents the id, because their names are private. */
  subject: string
  subjectId?: string | null
  changes?: AuditChange[]
}

/** Adds an audit entry, as the last statement of its transaction. */
export type Audit = (trx: Kysely<Tables>, done: Done) => Promise<void>

type By = {
  user: Pick<User, 'id' | 'username' | 'full_name' | 'company_affiliations'>
  request: Pick<FastifyRequest, 'ip'>
}

/** Returns the audit writer of a request. Its entries are visible to the administrators of the caller's first company. */
export function auditBy({ clock }: { clock: Clock }, { user, request }: By): Audit {
  const actor = actorOf(user, request)
  const companyId = user.company_affiliations[0]?.company.id ?? null
  return (trx, { subjectId = null, ...done }) =>
    writeAudit(trx, clock.now(), { ...done, actor, companyId, subjectId })
}

/** Returns one change: a value added, removed or replaced. */
export function changed(what: string, before: string | null, after: string | null): AuditChange[] {
  return before === after ? [] : [{ what, before, after }]
}
