import * as contract from '#shared/chat/branches/branches.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { readBranch } from '../messages/messages.ts'
import { editAndRegenerate } from './edit.ts'
import { findInBranches } from './find.ts'
import { navigateTo } from './navigate.ts'
import { listBranchOptions, readBranchMap } from './read-branches.ts'
import { regenerate } from './regenerate.ts'

/** Serves branches: alternatives of messages and navigation between them. Nothing is ever deleted. */
export function serveBranches(server: Server, deps: Deps): void {
  const { db } = deps
  serve(server, contract.listBranches, {
    handle: ({ params }) => listBranchOptions(db, params.sessionId, params.messageId),
  })
  serve(server, contract.navigateBranch, {
    handle: async ({ params: { sessionId, branchId }, query, user }) => {
      const { tree, leaf } = await navigateTo(db, sessionId, branchId)
      return readBranch(db, user, tree, leaf, query)
    },
  })
  serve(server, contract.regenerateReply, {
    handle: ({ params: { sessionId, messageId }, query, body, user, request, reply }) => {
      const wish = { model_name: query.model || body.model_name }
      return regenerate(deps, { user, sessionId, request, reply }, messageId, wish)
    },
  })
  serve(server, contract.editMessage, {
    handle: ({ params: { sessionId, messageId }, body, user, request, reply }) =>
      editAndRegenerate(deps, { user, sessionId, request, reply }, messageId, body),
  })
  serve(server, contract.readBranchMap, {
    handle: ({ params }) => readBranchMap(db, params.sessionId),
  })
  serve(server, contract.findInBranches, {
    handle: ({ params, query, user }) => findInBranches(deps, user.id, params.sessionId, query),
  })
}
