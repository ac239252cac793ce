import { AppError } from '#shared/platform/errors.ts'
import { type Audit, changed } from '../../identity/audit/audit.ts'
import { findAllowed } from '../../platform/access/access.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { lockProject } from '../projects/projects.ts'
import { findCandidate, findLack, setOwner } from './manager-store.ts'

/**
 * Makes a person the owner of a project that has no manager. @throws AppError `not_found` for a project that has one
 * meanwhile, `invalid` for a person outside of the company
 */
export async function nameManager(
  { db }: Pick<Platform, 'db'>,
  user: Caller,
  projectId: string,
  personId: string,
  audit: Audit,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const project = await lockProject(trx, projectId)
    const { lacks, company_id: companyId } = await findLack(trx, projectId)
    if (!project || !lacks) throw new AppError('not_found', 'Project not found')
    await findAllowed(trx, user, 'manage unmanaged-project', projectId)
    const name = await findCandidate(trx, personId, companyId)
    if (name === null) throw new AppError('invalid', 'Choose an active person of the company.')
    await setOwner(trx, projectId, personId)
    const changes = changed('manager', null, name)
    const entry = { subject: project.name, subjectId: projectId, companyId, changes }
    await audit(trx, { did: 'project.changed', ...entry })
  })
}
