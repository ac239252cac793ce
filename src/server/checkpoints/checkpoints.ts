import * as contract from '#shared/checkpoints/checkpoints.ts'
import { AppError } from '#shared/errors.ts'
import { navigateToCheckpoint } from '#shared/runs/runs.ts'
import { cleanCharacters } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { type Server, serve } from '../http/serve.ts'
import { findOwnSession } from '../ownership/ownership.ts'
import { requestPause } from '../runs/runs.ts'
import { compareCheckpoints } from './compare.ts'
import { resumeTask, returnTo } from './go-on.ts'
import { describeCheckpoints, readCheckpoints } from './read-checkpoints.ts'
import { type CheckpointRow, findById, setLabel } from './store.ts'

/** Checkpoints: listing, naming, comparing them, returning to them; pausing a run at one and going on. */
export function serveCheckpoints(server: Server, deps: Deps): void {
  const { db } = deps
  serveRest(server, deps)
  serve(server, contract.renameCheckpoint, {
    guard: async ({ params, user }) => {
      await findOwn(deps, user.id, params.checkpointId)
    },
    handle: async ({ params, body, user }) => {
      const row = await findOwn(deps, user.id, params.checkpointId)
      await setLabel(db, row, cleanCharacters(body.label ?? '') || null)
      const named = await findOwn(deps, user.id, params.checkpointId)
      const [checkpoint] = await describeCheckpoints(db, named.session_id, [named])
      return checkpoint!
    },
  })
  serve(server, contract.compareCheckpoints, {
    handle: async ({ query, user }) => {
      const a = await findOwn(deps, user.id, query.a)
      const b = await findOwn(deps, user.id, query.b)
      return compareCheckpoints(db, a, b)
    },
  })
}

function serveRest(server: Server, deps: Deps): void {
  const guard = async ({ params, user }: { params: { sessionId: string }; user: { id: string } }) => {
    await findOwnSession(deps.db, user.id, params.sessionId)
  }
  serve(server, contract.listCheckpoints, {
    guard,
    handle: ({ params, query }) =>
      readCheckpoints(deps.db, params.sessionId, query.limit, query.named === 'true'),
  })
  serve(server, navigateToCheckpoint, {
    guard,
    handle: ({ params: { sessionId }, body, request, reply }) =>
      returnTo(deps, { sessionId, request, reply }, body),
  })
  serve(server, contract.pauseRun, {
    guard,
    handle: async ({ params }) => ({
      status: 'pause_requested',
      message: await requestPause(deps.engine, params.sessionId),
    }),
  })
  serve(server, contract.resumeRun, {
    guard,
    handle: async ({ params: { sessionId }, body, user }) => ({
      status: 'resumed',
      message: await resumeTask(deps, sessionId, user.id, body),
    }),
  })
}

/** @throws AppError `not_found` for an unknown id, `forbidden` for another user's checkpoint */
async function findOwn({ db }: Deps, userId: string, id: string): Promise<CheckpointRow> {
  const row = await findById(db, id)
  if (!row) throw new AppError('not_found', 'Checkpoint not found')
  if (row.user_id !== userId) {
    throw new AppError('forbidden', 'You do not have access to this checkpoint.')
  }
  return row
}
