import { forkMessage } from '#shared/chat/forks/forks.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { readSession } from '../sessions/sessions.ts'
import { forkChat } from './fork-chat.ts'

export { forkChat }

/** Serves forks: chats that begin with the path to a message of another chat. */
export function serveForks(server: Server, deps: Deps): void {
  serve(server, forkMessage, {
    handle: async ({ params: { sessionId, messageId }, body, user }) =>
      readSession(deps.db, user, await forkChat(deps, user, { sessionId, messageId, forkId: body.id })),
  })
}
