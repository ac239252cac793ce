import * as contract from '#shared/runs/input-requests/input-requests.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { RunDeps } from '../run-deps.ts'
import { answerRequest } from './answer.ts'
import { serveInputFiles } from './input-files.ts'
import { readInbox } from './read-inbox.ts'
import { findByExecution, findBySession } from './store.ts'

export { answerRequest } from './answer.ts'
export { readInbox } from './read-inbox.ts'
export { type FoundRequest, findWaitingRequest } from './store.ts'

/** Serves input requests: answers, the inbox across sessions, and answer files. */
export function serveInputRequests(server: Server, deps: RunDeps): void {
  serve(server, contract.provideInput, {
    handle: async ({ params, user, body: { checkpoint_name, ...given } }) => {
      const request = await findBySession(deps.db, params.sessionId, checkpoint_name)
      return answerRequest(deps, user, request, given)
    },
  })
  serve(server, contract.provideToolInput, {
    handle: async ({ params, user, body }) =>
      answerRequest(deps, user, await findByExecution(deps.db, params.executionId), body),
  })
  serve(server, contract.listInputRequests, {
    handle: ({ user, query }) => readInbox(deps, user, query),
  })
  serveInputFiles(server, deps)
}
