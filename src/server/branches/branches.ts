import * as contract from '#shared/branches/branches.ts'
import type { Deps } from '../deps.ts'
import { type Server, serve } from '../http/serve.ts'
import { findMessage, readBranch } from '../messages/messages.ts'
import { findOwnSession } from '../ownership/ownership.ts'
import { editAndRegenerate } from './edit.ts'
import { findInBranches } from './find.ts'
import { navigateTo } from './navigate.ts'
import { listBranchOptions, readBranchMap } from './read-branches.ts'
import { regenerate } from './regenerate.ts'

type Params = { sessionId: string; messageId: string }

/** Branches: alternatives of messages and replies, and going from one to the other. Nothing is ever taken away. */
export function serveBranches(server: Server, deps: Deps): void {
  const { db } = deps
  const guard = async ({ params, user }: { params: { sessionId: string }; user: { id: string } }) => {
    await findOwnSession(db, user.id, params.sessionId)
  }
  const guardMessage = async (call: { params: Params; user: { id: string } }) => {
    await guard(call)
    await findMessage(db, call.params.sessionId, call.params.messageId)
  }
  serve(server, contract.listBranches, {
    guard: guardMessage,
    handle: ({ params }) => listBranchOptions(db, params.sessionId, params.messageId),
  })
  serve(server, contract.navigateBranch, {
    guard,
    handle: async ({ params: { sessionId, branchId }, query }) => {
      const { tree, leaf } = await navigateTo(db, sessionId, branchId)
      return readBranch(db, tree, leaf, query)
    },
  })
  serve(server, contract.regenerateReply, {
    guard: guardMessage,
    handle: ({ params: { sessionId, messageId }, query, body, user, request, reply }) => {
      const wish = { model_name: query.model || body.model_name }
      return regenerate(deps, { user, sessionId, request, reply }, messageId, wish)
    },
  })
  serve(server, contract.editMessage, {
    guard: guardMessage,
    handle: ({ params: { sessionId, messageId }, body, user, request, reply }) =>
      editAndRegenerate(deps, { user, sessionId, request, reply }, messageId, body),
  })
  serve(server, contract.readBranchMap, {
    guard,
    handle: ({ params }) => readBranchMap(db, params.sessionId),
  })
  serve(server, contract.findInBranches, {
    guard,
    handle: ({ params, query, user }) => findInBranches(deps, user.id, params.sessionId, query),
  })
}
