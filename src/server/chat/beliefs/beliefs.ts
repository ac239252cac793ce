import { getBelief } from '#shared/chat/beliefs/beliefs.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { requestTitle } from '../titles/titles.ts'
import { jobKeyOf, jobName, keepBelief, requestBelief } from './keep-belief.ts'
import { findBelief, findNewestRun } from './store.ts'

export { findBelief, type StoredBelief } from './store.ts'
export { tellBelief } from './tell-belief.ts'

/** A waiting job holds its place until the model is idle, so beliefs have places of their own. */
const PLACES = 8

/** Serves beliefs: the working memory of a session, updated after each reply. */
export function serveBeliefs(server: Server, deps: Deps): void {
  const { db, jobs } = deps
  const [askForBelief, askForTitle] = [requestBelief(deps), requestTitle(deps)]
  // A model is asked once after a reply: the call for the belief asks for the title too.
  deps.engine.onEnd.push(async (end) => (await askForBelief(end)) ?? (await askForTitle(end)))
  jobs.register(jobName, ({ run_id }, signal) => keepBelief(deps, String(run_id), signal), { places: PLACES })

  serve(server, getBelief, {
    handle: async ({ params, user }) => {
      const { active_leaf } = await findAllowed(db, user, 'read session', params.sessionId)
      const runId = await findNewestRun(db, active_leaf)
      // Read before the belief, so that a belief stored in between is visible.
      const is_pending = runId !== null && (await jobs.has(jobKeyOf(runId)))
      const belief = await findBelief(db, active_leaf)
      const { goals = [], facts = [], open_questions = [] } = belief?.content ?? {}
      const { message_id = null } = belief ?? {}
      const updated_at = belief?.created_at.toISOString() ?? null
      return { goals, facts, open_questions, updated_at, message_id, is_pending }
    },
  })
}
