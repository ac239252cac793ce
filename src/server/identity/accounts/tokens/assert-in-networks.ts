import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { actorById, changed, writeAudit } from '../../audit/audit.ts'
import { nameDevice } from '../sign-ins/read-user-agent.ts'
import { findAffiliations } from '../user-store.ts'

/** Refuses and audits a sign-in from outside of the networks of the user's companies. @throws AppError `outside_networks` */
export async function assertInNetworks(
  { db, clock, networks }: Pick<Platform, 'db' | 'clock' | 'networks'>,
  userId: string,
  { userAgent, address }: { userAgent: string | null; address: string },
): Promise<void> {
  try {
    await networks.admit({ company_affiliations: await findAffiliations(db, userId) }, address)
  } catch (error) {
    if (error instanceof AppError)
      await db.transaction().execute(async (trx) => {
        const who = await actorById(trx, userId, address)
        const changes = changed('networks', null, 'outside')
        const entry = { did: 'session.refused' as const, subject: nameDevice(userAgent), refused: true }
        await writeAudit(trx, clock.now(), { ...who, ...entry, changes })
      })
    throw error
  }
}
