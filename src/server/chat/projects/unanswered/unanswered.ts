import * as contract from '#shared/chat/projects/unanswered.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Audit, auditBy, changed } from '../../../identity/audit/audit.ts'
import { type Server, serve } from '../../../platform/http/serve.ts'
import type { Deps } from '../../../tools/deps.ts'
import { lockProject } from '../settings-store.ts'
import { groupQuestions } from './group-questions.ts'
import { recordUnanswered } from './record-unanswered.ts'
import { findGroups, setGroupState } from './unanswered-store.ts'

/** Serves the questions that the documents of a project could not answer to its managers, and records them. */
export function serveUnanswered(server: Server, deps: Deps): void {
  const { db, engine, jobs } = deps
  engine.onEnd.push(recordUnanswered)
  jobs.register('unanswered.group', (_, signal) => groupQuestions(deps, signal), {
    cron: '* * * * *',
    places: 1,
  })
  serve(server, contract.listUnanswered, {
    handle: async ({ params: { workspaceId } }) => ({ items: await findGroups(db, workspaceId) }),
  })
  serve(server, contract.decideUnanswered, {
    handle: ({ params, body: { state }, user, request }) =>
      decide(deps, { ...params, state }, auditBy(deps, { user, request })),
  })
}

type Decision = { workspaceId: string; unansweredId: string; state: contract.UnansweredState }

/** @throws AppError `not_found`, also for a group that too few people asked */
async function decide(
  { db }: Deps,
  { workspaceId, unansweredId, state }: Decision,
  audit: Audit,
): Promise<contract.UnansweredGroup> {
  return db.transaction().execute(async (trx) => {
    const project = await lockProject(trx, workspaceId)
    const [before] = await findGroups(trx, workspaceId, unansweredId)
    if (!project || !before) throw new AppError('not_found', 'This group of questions is not there.')
    await setGroupState(trx, unansweredId, state)
    const entry = { subject: project.name, subjectId: workspaceId }
    const changes = changed('unanswered_questions', before.state, state)
    if (before.state !== state) await audit(trx, { ...entry, did: 'project.changed', changes })
    return { ...before, state }
  })
}
