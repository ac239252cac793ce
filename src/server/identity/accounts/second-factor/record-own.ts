import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { AuditAction, AuditChange } from '#shared/identity/audit/audit.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Platform } from '../../../platform/platform.ts'
import { actorById, writeAudit } from '../../audit/audit.ts'
import { visitOf } from '../sign-ins/sign-ins.ts'

/** Audits a user's change to their own account, as the last statement of its transaction. */
export type RecordOwn = (
  trx: Kysely<Tables>,
  done: { did: AuditAction; changes?: AuditChange[] },
) => Promise<void>

/** Audits such a change for a user who is not signed in but has proved their identity. */
export function recordOwn(
  { clock }: Pick<Platform, 'clock'>,
  request: FastifyRequest,
  userId: string,
): RecordOwn {
  return async (trx, done) => {
    const who = await actorById(trx, userId, visitOf(request).address)
    await writeAudit(trx, clock.now(), { ...who, ...done, subject: who.actor.name, subjectId: userId })
  }
}
