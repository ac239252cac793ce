import { plainCitations } from '#shared/platform/citations/citation-tags.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { ModelMessage } from '../../models/models/port.ts'
import { noteChat } from '../../platform/access/classes/classes.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { readId } from './chat-completions.ts'
import { type CallRow, findCall, loadCompletion, loadTurns } from './store.ts'
import { refuse } from './wire-failure.ts'
import { RESPONSE_PREFIX } from './write-response.ts'

const PARAM = 'previous_response_id'

/**
 * Returns the conversation up to and including an earlier response, without its instructions. @throws WireFailure when it
 * is not found, was not stored or has no answer, `conflict` while it is in progress
 */
export async function readEarlier({ db }: Deps, user: Caller, responseId: string): Promise<ModelMessage[]> {
  const id = readId(responseId, RESPONSE_PREFIX)
  const call = id ? await findCall(db, user.id, id) : null
  if (!call || call.kept.store === false)
    throw refuse(`Previous response with id '${responseId}' not found.`, PARAM, 'previous_response_not_found')
  if (call.state === 'queued' || call.state === 'running')
    throw new AppError('conflict', 'The previous response is still in progress. Try again in a moment.', {
      retryAfterSeconds: 2,
    })
  if (call.state !== 'completed')
    throw refuse(`Previous response with id '${responseId}' has no answer.`, PARAM)
  await noteChat(db, call.session_id)
  return call.completed ? [...(await readAsked(db, call)), answerOf(call.completed)] : readTurns(db, call)
}

async function readAsked(db: Deps['db'], { id, kept }: CallRow): Promise<ModelMessage[]> {
  const completion = await loadCompletion(db, id)
  return completion?.messages.slice(kept.leading ?? 0) ?? []
}

const answerOf = ({ content }: NonNullable<CallRow['completed']>): ModelMessage => ({
  role: 'assistant',
  content,
})

/** Returns the turns of an assistant's call, without the work of its tools. */
async function readTurns(db: Deps['db'], { session_id }: CallRow): Promise<ModelMessage[]> {
  const turns = await loadTurns(db, session_id)
  return turns.map(({ role, content }) => ({
    role,
    content: [{ type: 'text', text: role === 'assistant' ? plainCitations(content) : content }],
  }))
}
