import type { ResponseCall } from '#shared/api/openai/responses.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { stopSession } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { answerWhileHeard, type Exchange } from './answer-while-heard.ts'
import { readCall } from './await-call.ts'
import type { BegunCall } from './begin-call.ts'
import { beginChat, readId } from './chat-completions.ts'
import { readEarlier } from './earlier-response.ts'
import { openWireStream } from './open-stream.ts'
import type { WireAnswer } from './read-answer.ts'
import { readResponseCall } from './read-response-call.ts'
import { type CallRow, findCall, removeCall } from './store.ts'
import { failLater, openAiForm, sendLater, toWireError } from './wire-error.ts'
import { refuse, toProgramError } from './wire-failure.ts'
import { RESPONSE_PREFIX, writeOutput, writeResponse, writeText } from './write-response.ts'

/** Starts a response and sends it: complete, streamed, or only its id for a background response. */
export async function answerResponse(deps: Deps, exchange: Exchange, call: ResponseCall): Promise<void> {
  const { user, reply, request } = exchange
  const { previous_response_id: previous, store, instructions } = call
  if (call.background && store === false)
    throw refuse('A background response must be stored: leave out "store".', 'store')
  const kept = { ...(previous && { previous_response_id: previous }), ...(store === false && { store }) }
  const begun = await beginChat(deps, exchange, readResponseCall(call), {
    ...{ instructions: instructions ? 1 : 0, kept },
    ...(previous && { earlier: await readEarlier(deps, user, previous) }),
  })
  const head = { id: begun.id, model: call.model, at: deps.clock.now(), kept }
  if (call.background && !call.stream) return void reply.send(writeResponse(head, 'in_progress'))
  reply.hijack()
  const continues = call.background === true
  const answering = call.stream
    ? stream(deps, exchange, begun, { head, continues })
    : wait(deps, exchange, begun, head)
  answering
    .finally(() => store === false && removeCall(deps.db, begun.id))
    .catch((error) => {
      request.log.error({ error }, 'A call could not be answered.')
      reply.raw.destroy()
    })
}

/** Returns a response by id, finished or in progress. @throws AppError `not_found` */
export async function readResponse(deps: Deps, user: Caller, responseId: string) {
  const call = await findResponse(deps, user, responseId)
  const head = { id: call.session_id, model: call.asked_model, at: call.created_at, kept: call.kept }
  if (call.state === 'queued' || call.state === 'running') return writeResponse(head, 'in_progress')
  if (call.state === 'waiting' || call.state === 'paused') return writeResponse(head, 'incomplete')
  if (call.state === 'stopped') return writeResponse(head, 'cancelled')
  try {
    return writeResponse(head, 'completed', await readCall(deps, user, call))
  } catch (error) {
    return writeResponse(head, 'failed', null, toProgramError(error))
  }
}

/** Cancels a response in progress. @throws AppError `not_found` */
export async function stopResponse(deps: Deps, user: Caller, responseId: string) {
  const { session_id } = await findResponse(deps, user, responseId)
  await stopSession(deps.engine, session_id)
  return readResponse(deps, user, responseId)
}

async function findResponse(deps: Deps, user: Caller, responseId: string): Promise<CallRow> {
  const id = readId(responseId, RESPONSE_PREFIX)
  const call = id ? await findCall(deps.db, user.id, id) : null
  if (!call || call.kept.store === false)
    throw new AppError('not_found', 'There is no response with this id.')
  return call
}

type Head = Parameters<typeof writeResponse>[0]
type Kept = { head: Head; continues: boolean }

async function wait(deps: Deps, exchange: Exchange, begun: BegunCall, head: Head) {
  const { reply } = exchange
  try {
    const answer = await answerWhileHeard(deps, exchange, begun)
    if (answer) sendLater(reply, 200, writeResponse(head, 'completed', answer))
  } catch (error) {
    failLater(reply, toProgramError(error))
  }
}

async function stream(deps: Deps, exchange: Exchange, begun: BegunCall, { head, continues }: Kept) {
  const { request, reply } = exchange
  let sequence_number = 0
  const line = openWireStream(request, reply, {
    ...openAiForm,
    events: (error) => writeFailure(head, error, sequence_number),
  })
  let hasText = false
  const tell = (type: string, fields: object) => {
    const data = JSON.stringify({ type, sequence_number, ...fields })
    line.open().write(`event: ${type}\ndata: ${data}\n\n`)
    sequence_number += 1
  }
  const begin = () => {
    if (sequence_number > 0) return
    const response = writeResponse(head, 'in_progress')
    tell('response.created', { response })
    tell('response.in_progress', { response })
  }
  const place = { item_id: `msg_${head.id}`, output_index: 0, content_index: 0 }
  const beginText = () => {
    if (hasText) return
    hasText = true
    begin()
    const item = { id: place.item_id, type: 'message', role: 'assistant', status: 'in_progress', content: [] }
    tell('response.output_item.added', { output_index: 0, item })
    tell('response.content_part.added', { ...place, part: writeText('') })
  }
  const text = (delta: string) => {
    if (delta === '') return
    beginText()
    tell('response.output_text.delta', { ...place, delta, logprobs: [] })
  }
  try {
    const answer = await answerWhileHeard(deps, exchange, begun, {
      ...{ hearing: { text, thought: () => undefined }, continues },
    })
    if (!answer) return
    begin()
    if (answer.tool_calls.length === 0) beginText()
    endItems(tell, place, answer, head.id)
    const response = writeResponse(head, 'completed', answer)
    const type = response.status === 'incomplete' ? 'response.incomplete' : 'response.completed'
    tell(type, { response })
    line.open().close()
  } catch (error) {
    line.fail(toProgramError(error))
  } finally {
    line.over()
  }
}

/** The last two events of a failed stream. */
function writeFailure(head: Head, failure: AppError, sequence_number: number): string {
  const { code, message, param } = toWireError(failure).error
  const response = writeResponse(head, 'failed', null, failure)
  const error = { type: 'error', sequence_number, code, message, param }
  const failed = { type: 'response.failed', sequence_number: sequence_number + 1, response }
  return [error, failed].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

type Tell = (type: string, fields: object) => void
type Place = { item_id: string; output_index: number; content_index: number }

function endItems(tell: Tell, place: Place, answer: WireAnswer, id: string): void {
  for (const [output_index, item] of writeOutput(id, answer).entries()) {
    if (item.type === 'message') {
      const [part] = item.content
      for (const [annotation_index, annotation] of (part?.annotations ?? []).entries())
        tell('response.output_text.annotation.added', { ...place, annotation_index, annotation })
      tell('response.output_text.done', { ...place, text: part?.text ?? '', logprobs: [] })
      tell('response.content_part.done', { ...place, part })
    } else {
      const { id: item_id, arguments: args, name } = item
      tell('response.output_item.added', {
        output_index,
        item: { ...item, arguments: '', status: 'in_progress' },
      })
      tell('response.function_call_arguments.delta', { item_id, output_index, delta: args })
      tell('response.function_call_arguments.done', { item_id, output_index, name, arguments: args })
    }
    tell('response.output_item.done', { output_index, item })
  }
}
