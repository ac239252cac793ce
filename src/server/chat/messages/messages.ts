import * as contract from '#shared/chat/messages/messages.ts'
import { getReplyPrice } from '#shared/chat/run-prices/run-prices.ts'
import { generateReply } from '#shared/runs/runs/runs.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { addAndReply, addAndStream, addMessage, generate } from './post-message.ts'
import { readActiveBranch } from './read-messages.ts'
import { tellPrice } from './tell-price.ts'

export { append as appendMessage, checkContent } from './new-message-store.ts'
export { addAndStream, type Request, streamReply, wishOf, withoutEmpty } from './post-message.ts'
export { readBranch } from './read-messages.ts'
export { planMessage, planReply, type ReplyWish, startReply } from './start-reply.ts'
export { findActiveLeaf, findByClientId, findMessage, loadMessages, loadSizes } from './store.ts'
export {
  branchNumbers,
  isBefore,
  loadTree,
  pathTo,
  siblingsOf,
  type Tree,
  type TreeNode,
} from './tree-store.ts'

/** Serves messages: sending, starting replies, and reading the active branch. */
export function serveMessages(server: Server, deps: Deps): void {
  serve(server, contract.postMessage, {
    handle: async ({ params: { sessionId }, user, body, request, reply }) => {
      const call = { user, sessionId, request, reply }
      const { role: _role, ...message } = body
      if (!request.headers.accept?.includes('text/event-stream')) return addMessage(deps, call, message)
      await addAndStream(deps, call, message)
      // The stream itself is the response.
      return undefined as never
    },
  })
  serve(server, contract.createMessage, {
    handle: async ({ user, body: { chat_session_id: sessionId, ...message } }) =>
      addAndReply(deps, { user, sessionId }, message),
  })
  serve(server, getReplyPrice, {
    handle: ({ params: { sessionId }, user, query }) => tellPrice(deps, user, sessionId, query),
  })
  serve(server, contract.getActiveBranch, {
    handle: ({ params, query, user }) => readActiveBranch(deps.db, user, params.sessionId, query),
  })
  serve(server, generateReply, {
    handle: ({ params: { sessionId, messageId }, user, body, request, reply }) =>
      generate(deps, { user, sessionId, request, reply }, messageId, body),
  })
}
