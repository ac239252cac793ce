import * as contract from '#shared/chat/feedback/feedback.ts'
import { findCitations } from '#shared/platform/citations/citation-tags.ts'
import { AppError } from '#shared/platform/errors.ts'
import { cleanCharacters } from '../../platform/db/db.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { findMessage } from '../messages/messages.ts'
import { refuseTemporary } from '../sessions/sessions.ts'
import { deleteFeedback, listOf, storeFeedback } from './store.ts'

/** Serves feedback on replies. */
export function serveFeedback(server: Server, { db }: Deps): void {
  serve(server, contract.listFeedback, {
    handle: ({ params, user }) => listOf(db, user.id, params.sessionId),
  })
  serve(server, contract.giveFeedback, {
    handle: async ({ params, user, body }) => {
      const message = await findMessage(db, params.sessionId, params.messageId)
      await refuseTemporary(db, user, params.sessionId)
      if (message.role !== 'assistant') throw new AppError('invalid', 'Only replies can be judged.')
      if (message.status === 'streaming') throw new AppError('conflict', 'The reply is still being written.')
      const comment = cleanCharacters(body.comment ?? '').trim() || null
      const { rating, is_shown } = body
      const feedback = { message_id: message.id, rating, reason: body.reason ?? null, comment, is_shown }
      await storeFeedback(db, user.id, feedback, citedIn(message.content))
      return feedback
    },
  })
  serve(server, contract.takeFeedbackBack, {
    handle: ({ params, user }) => deleteFeedback(db, user.id, params.messageId),
  })
}

function citedIn(content: string): string[] {
  return [...new Set(findCitations(content).map(({ chunk_id }) => chunk_id))]
}
