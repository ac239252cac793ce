import type * as contract from '#shared/chat/project-lifecycle/project-lifecycle.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Audit, changed } from '../../identity/audit/audit.ts'
import type { Call, Caller } from '../../platform/http/serve.ts'
import { readTrashDays } from '../../platform/trash/trash.ts'
import { askToStop } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { lockProject } from '../projects/projects.ts'
import { requestPurge } from '../trash/trash.ts'
import {
  giveChats,
  isOfProject,
  listHanded,
  lockChats,
  releaseChats,
  removeProject,
  trashChats,
  trashDocuments,
} from './content-store.ts'
import { requestHandedDocuments } from './hand-over-documents.ts'
import { stopSchedules } from './schedule-store.ts'

type Wish = Call<typeof contract.deleteProject>['body']

/**
 * Deletes a project in one commit, with the requests to stop the replies in chats that change hands or go to the trash. A job
 * hands over the documents.
 * @throws AppError `not_found` for a project that is gone, `invalid` for a member who may not get the chats
 */
export async function deleteProject(
  deps: Deps,
  user: Caller,
  id: string,
  { chats, documents, member_id }: Wish,
  audit: Audit,
): Promise<void> {
  const { db, clock, jobs } = deps
  const isHandedOver = chats === 'hand_over' || documents === 'hand_over'
  await jobs.prepare()
  await db.transaction().execute(async (trx) => {
    const project = await lockProject(trx, id)
    if (!project) throw new AppError('not_found', 'Project not found')
    if (isHandedOver && !(member_id && (await isOfProject(trx, id, member_id))))
      throw new AppError('invalid', 'Choose a person of the project to hand over to.')
    const now = clock.now()
    // Without a trash, the next purge deletes them.
    const deletedAt = (await readTrashDays(trx)) > 0 ? now : new Date(0)
    await stopSchedules(trx, { id, name: project.name, code: 'project_deleted' })
    const affected = chats === 'keep' ? [] : await lockChats(trx, user, id)
    for (const { run_id } of affected) if (run_id) await askToStop(trx, run_id)
    const ids = affected.map((chat) => chat.id)
    if (chats === 'delete') await trashChats(trx, ids, deletedAt)
    if (chats === 'hand_over' && member_id) await giveChats(trx, ids, member_id)
    await releaseChats(trx, id)
    if (documents === 'delete') await trashDocuments(trx, id, deletedAt)
    if (documents === 'hand_over' && member_id) {
      const handed = { projectId: id, ids: await listHanded(trx, id), to: member_id }
      await requestHandedDocuments(deps, trx, handed)
    }
    await removeProject(trx, id)
    const changes = [...changed('chats', String(ids.length), chats), ...changed('documents', null, documents)]
    await audit(trx, { did: 'workspace.removed', subject: project.name, subjectId: id, changes })
  })
  await requestPurge(deps)
}
