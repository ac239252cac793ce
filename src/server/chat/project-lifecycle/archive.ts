import { AppError } from '#shared/platform/errors.ts'
import type { Audit } from '../../identity/audit/audit.ts'
import type { Deps } from '../../tools/deps.ts'
import { lockProject } from '../projects/projects.ts'
import { setArchived } from './content-store.ts'
import { resumeSchedules, stopSchedules } from './schedule-store.ts'

/** Archives a project and stops its schedules in one commit. Does nothing when it is archived. @throws AppError `not_found` */
export async function archive({ db, clock }: Deps, id: string, audit: Audit): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const project = await lockProject(trx, id)
    if (!project) throw new AppError('not_found', 'Project not found')
    if (project.archived_at) return
    await setArchived(trx, id, clock.now())
    await stopSchedules(trx, { id, name: project.name, code: 'project_archived' })
    await audit(trx, { did: 'project.archived', subject: project.name, subjectId: id })
  })
}

/** Restores a project with the schedules that its archiving stopped. Does nothing when it is in use. @throws AppError `not_found` */
export async function restore({ db }: Deps, id: string, audit: Audit): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const project = await lockProject(trx, id)
    if (!project) throw new AppError('not_found', 'Project not found')
    if (!project.archived_at) return
    await setArchived(trx, id, null)
    await resumeSchedules(trx, id)
    await audit(trx, { did: 'project.restored', subject: project.name, subjectId: id })
  })
}
