import type { FastifyRequest } from 'fastify'
import type { AuditAction, AuditChange } from '#shared/audit/audit.ts'
import { actorById, writeAudit } from '../../audit/audit.ts'
import type { Platform } from '../../platform.ts'
import { visitOf } from '../sign-ins/sign-ins.ts'

/** Writes down what somebody changed about their own account. */
export async function recordOwn(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  request: FastifyRequest,
  userId: string,
  { did, changes }: { did: AuditAction; changes: AuditChange[] },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const who = await actorById(trx, userId, visitOf(request).address)
    await writeAudit(trx, clock.now(), { ...who, did, subject: who.actor.name, subjectId: userId, changes })
  })
}
