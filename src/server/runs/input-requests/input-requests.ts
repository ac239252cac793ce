import { AppError } from '#shared/platform/errors.ts'
import * as contract from '#shared/runs/input-requests/input-requests.ts'
import { actorOf, writeAudit } from '../../identity/audit/audit.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { RunDeps } from '../run-deps.ts'
import { answerRequest, approveRequest } from './answer.ts'
import { serveInputFiles } from './input-files.ts'
import { readInbox } from './read-inbox.ts'
import { findApproval, findByExecution, findBySession } from './store.ts'

export { answerRequest, approveRequest } from './answer.ts'
export { readInbox } from './read-inbox.ts'
export { type FoundRequest, findRequest, findWaitingRequest, isWritable } from './store.ts'

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
  serve(server, contract.decideApproval, {
    handle: async ({ params: { approvalId }, user, body, request }) => {
      const found = await findApproval(deps.db, user, approvalId)
      if (!found) throw new AppError('not_found', 'There is no call that waits for your approval here.')
      return approveRequest(deps, user, found, { ...body, input_type: 'json' }, (trx, isApproved) =>
        writeAudit(trx, deps.clock.now(), {
          ...{ actor: actorOf(user, request), companyId: found.approver_company_id, changes: [] },
          ...{ did: isApproved ? 'approval.given' : 'approval.refused' },
          ...{ subject: found.request.tool?.tool_name ?? '', subjectId: approvalId },
        }),
      )
    },
  })
  serve(server, contract.listInputRequests, {
    handle: ({ user, query }) => readInbox(deps, user, query),
  })
  serveInputFiles(server, deps)
}
