import * as contract from '#shared/chat/context-use/context-use.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { findContextUse } from './store.ts'
import { summariseNow } from './summarise-now.ts'

/** Serves what fills the window of a chat's model, and summaries that a person asks for. */
export function serveContextUse(server: Server, deps: Deps): void {
  serve(server, contract.getContextUse, {
    handle: async ({ params, user }) => {
      const { active_leaf } = await findAllowed(deps.db, user, 'read session', params.sessionId)
      return findContextUse(deps.db, active_leaf)
    },
  })
  serve(server, contract.summariseNow, {
    handle: ({ params, user }) => summariseNow(deps, user, params.sessionId),
  })
}
