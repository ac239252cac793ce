import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { changed, writeAudit } from '../audit/audit.ts'
import { deleteNetworks, findCompaniesNamed } from './store.ts'

/**
 * Removes all networks of a company, by its name or id, so that its people can enter from everywhere; callable only on the server itself.
 * Running processes follow immediately. Adds an audit entry.
 * @throws AppError `not_found`, `conflict` when several companies have the name
 */
export async function clearNetworks(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  name: string,
): Promise<{ company: string; count: number }> {
  return db.transaction().execute(async (trx) => {
    const [company, other] = await findCompaniesNamed(trx, name)
    if (!company) throw new AppError('not_found', `No company here is called ${name}.`)
    if (other) throw new AppError('conflict', `Several companies are called ${name}. Name one by its id.`)
    const count = await deleteNetworks(trx, company.id)
    await writeAudit(trx, clock.now(), {
      ...{ actor: { id: null, name: 'Atrium', address: null }, did: 'network.cleared' },
      ...{ subject: company.name, subjectId: company.id, companyId: company.id },
      changes: changed('networks', String(count), null),
    })
    return { company: company.name, count }
  })
}
