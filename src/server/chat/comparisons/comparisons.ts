import * as contract from '#shared/chat/comparisons/comparisons.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { beginComparison } from './begin-comparison.ts'
import { countAlternatives, listReplies } from './store.ts'

/** Serves comparisons: one message that several models answer. */
export function serveComparisons(server: Server, deps: Deps): void {
  deps.engine.onEnd.push(async ({ run: { input } }) =>
    input.compared ? (trx) => countAlternatives(trx, input) : null,
  )
  serve(server, contract.beginComparison, {
    handle: ({ params, user, body }) => beginComparison(deps, user, params.sessionId, body),
  })
  serve(server, contract.getComparison, {
    handle: async ({ params }) => ({ replies: await listReplies(deps.db, params.messageId) }),
  })
}
