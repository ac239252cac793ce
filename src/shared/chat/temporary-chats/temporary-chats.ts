import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'
import { Session } from '../sessions/sessions.ts'

/** How long a temporary chat exists without a renewal, in milliseconds. */
export const LEASE_MS = 300_000
/** How often the browser renews it, in milliseconds. */
export const RENEWAL_MS = 30_000

const SessionParams = z.object({ sessionId: Id })

/** Call it while the chat is open. Without it, the chat ends after five minutes. */
export const renewTemporaryChat = route({
  method: 'POST',
  path: '/sessions/:sessionId/lease',
  access: 'user',
  fails: ['conflict'],
  scope: 'chats',
  may: 'manage session',
  summary: 'Keep a temporary conversation open for five more minutes',
  params: SessionParams,
  answer: z.object({ lease_until: z.string() }),
})

export const keepTemporaryChat = route({
  method: 'POST',
  path: '/sessions/:sessionId/keep',
  access: 'user',
  scope: 'chats',
  may: 'manage session',
  summary: 'Make a temporary conversation a normal one, which enters the history',
  params: SessionParams,
  answer: Session,
})
