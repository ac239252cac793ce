import * as contract from '#shared/chat/assistant-tries/assistant-tries.ts'
import { assertMayAssistant } from '../../platform/access/access.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { deleteChat } from '../sessions/sessions.ts'
import { findTry, keepTry, removeOldTries } from './store.ts'

/** Serves tries of draft assistants in chats that are in no history. */
export function serveAssistantTries(server: Server, deps: Deps): void {
  const { db, clock, jobs } = deps
  serve(server, contract.tryAssistant, {
    handle: async ({ user, body: { assistant_id: assistantId, content } }) => {
      if (assistantId) await assertMayAssistant(db, user, 'write assistant', assistantId)
      return { session_id: await keepTry(db, { userId: user.id, assistantId }, content, clock.now()) }
    },
  })
  serve(server, contract.endTry, {
    handle: async ({ user, query: { assistant_id: assistantId = null } }) => {
      const sessionId = await findTry(db, { userId: user.id, assistantId })
      if (sessionId) await deleteChat(deps, sessionId)
      return { message: 'The try was ended.' }
    },
  })
  jobs.register('forget-tries', () => removeOldTries(deps), { cron: '53 * * * *' })
}
