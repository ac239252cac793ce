import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { User } from '#shared/identity/accounts/accounts.ts'
import type { AuditAction, AuditChange } from '#shared/identity/audit/audit.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Clock } from '../../platform/platform.ts'
import { actorOf } from './actor.ts'
import { writeAudit } from './entry-store.ts'

/** What somebody did, beside who and where. */
export type Done = {
  did: AuditAction
  /** What it was done to; of chats and documents their id, because their names are nobody else's to read. */
  subject: string
  subjectId?: string | null
  changes?: AuditChange[]
}

/** Writes down what somebody does, as the last statement of the transaction that does it. */
export type Audit = (trx: Kysely<Tables>, done: Done) => Promise<void>

type By = {
  user: Pick<User, 'id' | 'username' | 'full_name' | 'company_affiliations'>
  request: Pick<FastifyRequest, 'ip'>
}

/** What the caller of a request does is written down for the administrators of their first company. */
export function auditBy({ clock }: { clock: Clock }, { user, request }: By): Audit {
  const actor = actorOf(user, request)
  const companyId = user.company_affiliations[0]?.company.id ?? null
  return (trx, { subjectId = null, ...done }) =>
    writeAudit(trx, clock.now(), { ...done, actor, companyId, subjectId })
}

/** One fact that came, went or became another. */
export function changed(what: string, before: string | null, after: string | null): AuditChange[] {
  return before === after ? [] : [{ what, before, after }]
}
