import * as contract from '#shared/chat/checkpoints/checkpoints.ts'
import { navigateToCheckpoint } from '#shared/runs/runs/runs.ts'
import { cleanCharacters } from '../../platform/db/db.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import { requestPause } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { compareCheckpoints } from './compare.ts'
import { resumeTask, returnTo } from './go-on.ts'
import { describeCheckpoints, readCheckpoints } from './read-checkpoints.ts'
import { findById, setLabel } from './store.ts'

/** Serves checkpoints: list, label, compare, return; and pausing and resuming runs. */
export function serveCheckpoints(server: Server, deps: Deps): void {
  const { db } = deps
  serveRest(server, deps)
  serve(server, contract.renameCheckpoint, {
    handle: async ({ params, body, user }) => {
      const row = await findById(db, user, 'write', params.checkpointId)
      await setLabel(db, row, cleanCharacters(body.label ?? '') || null)
      const named = await findById(db, user, 'write', params.checkpointId)
      const [checkpoint] = await describeCheckpoints(db, named.session_id, [named])
      return checkpoint!
    },
  })
  serve(server, contract.compareCheckpoints, {
    handle: async ({ query, user }) => {
      const a = await findById(db, user, 'read', query.a)
      const b = await findById(db, user, 'read', query.b)
      return compareCheckpoints(db, a, b)
    },
  })
}

function serveRest(server: Server, deps: Deps): void {
  serve(server, contract.listCheckpoints, {
    handle: ({ params, query }) => readCheckpoints(deps.db, params.sessionId, query, query.named === 'true'),
  })
  serve(server, navigateToCheckpoint, {
    handle: ({ params: { sessionId }, body, user, request, reply }) =>
      returnTo(deps, { sessionId, user, request, reply }, body),
  })
  serve(server, contract.pauseRun, {
    handle: async ({ params }) => ({
      status: 'pause_requested',
      message: await requestPause(deps.engine, params.sessionId),
    }),
  })
  serve(server, contract.resumeRun, {
    handle: async ({ params: { sessionId }, body, user }) => ({
      status: 'resumed',
      message: await resumeTask(deps, sessionId, user, body),
    }),
  })
}
