import { AppError } from '#shared/errors.ts'
import * as contract from '#shared/input-requests/input-requests.ts'
import type { Deps } from '../deps.ts'
import { type Server, serve } from '../http/serve.ts'
import { findOwnSession } from '../ownership/ownership.ts'
import { answerRequest } from './answer.ts'
import { serveInputFiles } from './input-files.ts'
import { readInbox } from './read-inbox.ts'
import { findByExecution, findBySession } from './store.ts'

export { findWaitingRequest } from './store.ts'

/** What runs ask people: answering, the list across sessions, and files given as answers. */
export function serveInputRequests(server: Server, deps: Deps): void {
  serve(server, contract.provideInput, {
    guard: async ({ params, user }) => {
      await findOwnSession(deps.db, user.id, params.sessionId)
    },
    handle: async ({ params, user, body: { checkpoint_name, ...given } }) => {
      const request = await findBySession(deps.db, params.sessionId, checkpoint_name)
      return answerRequest(deps, user.id, request, given)
    },
  })
  serve(server, contract.provideToolInput, {
    guard: ({ params, user }) => guardExecution(deps, user.id, params.executionId),
    handle: async ({ params, user, body }) =>
      answerRequest(deps, user.id, await findByExecution(deps.db, params.executionId), body),
  })
  serve(server, contract.listInputRequests, {
    handle: ({ user, query }) => readInbox(deps, user, query),
  })
  serveInputFiles(server, deps)
}

async function guardExecution({ db }: Deps, userId: string, executionId: string): Promise<void> {
  const execution = await db
    .selectFrom('tool_executions')
    .select('user_id')
    .where('id', '=', executionId)
    .executeTakeFirst()
  if (!execution) throw new AppError('not_found', 'Tool execution not found')
  if (execution.user_id !== userId)
    throw new AppError('forbidden', 'You do not have access to this tool execution.')
}
