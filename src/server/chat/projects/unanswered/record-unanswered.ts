import * as z from 'zod/mini'
import { checkCited, isAbsent } from '../../../knowledge/rag/rag.ts'
import type { OnEnd } from '../../../runs/runs/runs.ts'
import { insertUnanswered } from './unanswered-store.ts'

/** The recorded result of the step that gathers passages, as far as it is read here. */
const Evidence = z.object({ looked: z.object({ documents: z.number() }) })

/**
 * Records a question in a project when documents were searched for it, and the reply says that they have no answer or claims something
 * without a source. Temporary chats, programs and visitors are left out.
 */
export const recordUnanswered: OnEnd = async ({ run, state, content }) => {
  const { input, records, userMessage } = run
  if (state !== 'completed' || !input.project || !userMessage) return null
  if (!isUnanswered(content)) return null
  const evidence = Evidence.safeParse(records.get('step:evidence')?.value)
  const hasSearched = evidence.success && evidence.data.looked.documents > 0
  const { user_id: askerId, message_id: replyId } = input
  return (trx) =>
    insertUnanswered(trx, { runId: run.id, replyId, messageId: userMessage.id, askerId, hasSearched })
}

/** Returns whether a reply says that the documents have no answer, or claims something and cites nothing. */
export function isUnanswered(reply: string): boolean {
  return isAbsent(reply) || checkCited(reply, new Map()).some(({ kind }) => kind === 'no_source')
}
