import type { ChatCompletion } from '#shared/api/openai/answers.ts'
import type { ChatCall } from '#shared/api/openai/chat.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { ModelMessage } from '../../models/models/port.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { EventStream } from '../../platform/http/streaming/event-stream.ts'
import type { Deps } from '../../tools/deps.ts'
import { answerWhileHeard, type Exchange } from './answer-while-heard.ts'
import { readCall } from './await-call.ts'
import { type BegunCall, beginAnswer, beginCompletion } from './begin-call.ts'
import { findWireAssistant } from './find-assistant.ts'
import { openWireStream } from './open-stream.ts'
import type { WireAnswer } from './read-answer.ts'
import { readAssistantCall, turnsOf } from './read-assistant-call.ts'
import { readCompletion } from './read-messages.ts'
import { type CallFacts, findCall } from './store.ts'
import { failLater, sendLater } from './wire-error.ts'
import { toProgramError } from './wire-failure.ts'

const PREFIX = 'chatcmpl-'
type Wish = Pick<ChatCall, 'stream' | 'stream_options'>

/** Starts a call and sends its answer, complete or streamed. A caller that hangs up stops it. */
export async function answerChat(deps: Deps, exchange: Exchange, call: ChatCall): Promise<void> {
  const begun = await beginChat(deps, exchange, call)
  const { reply } = exchange
  // Waiting for a model must not count as an active request.
  reply.hijack()
  const answering = call.stream
    ? stream(deps, exchange, begun, call)
    : wait(deps, exchange, begun, call.model)
  answering.catch((error) => {
    exchange.request.log.error({ error }, 'A call could not be answered.')
    reply.raw.destroy()
  })
}

/** The conversation that a call continues: it stands after the first `instructions` messages. */
type Continued = { earlier?: ModelMessage[]; instructions?: number; kept?: CallFacts }

/** Starts the call of an assistant or of a model. */
export async function beginChat(
  deps: Deps,
  { user, request }: Pick<Exchange, 'user' | 'request'>,
  call: ChatCall,
  { earlier = [], instructions = 0, kept = {} }: Continued = {},
): Promise<BegunCall> {
  const given = request.headers['idempotency-key']
  const idempotencyKey = typeof given === 'string' && given !== '' ? given.slice(0, 300) : null
  const asked = { asked: call.model, idempotencyKey }
  const assistant = await findWireAssistant(deps, user, call.model)
  if (assistant) {
    const { turns, ...read } = readAssistantCall(call)
    const whole = { assistantId: assistant.id, ...read, turns: [...turnsOf(earlier), ...turns] }
    return beginAnswer(deps, user, whole, { ...asked, kept })
  }
  const { completion, leading } = await readCompletion(deps, user, call, { earlier, instructions })
  return beginCompletion(deps, user, completion, { ...asked, kept: { ...kept, leading } })
}

/** Returns an earlier call by id. @throws AppError `not_found`, `conflict` while it is in progress */
export async function readChat(deps: Deps, user: Caller, completionId: string) {
  const id = readId(completionId, PREFIX)
  const call = id ? await findCall(deps.db, user.id, id) : null
  if (!call) throw new AppError('not_found', 'There is no call with this id.')
  if (call.state === 'queued' || call.state === 'running')
    throw new AppError('conflict', 'The call is still being answered. Try again in a moment.', {
      retryAfterSeconds: 2,
    })
  return writeCompletion(call.session_id, call.asked_model, call.created_at, await readCall(deps, user, call))
}

/** Converts a client's id to the id of the call's chat. */
export function readId(given: string, prefix: string): string | null {
  const id = given.startsWith(prefix) ? given.slice(prefix.length) : ''
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : null
}

async function wait(deps: Deps, exchange: Exchange, begun: BegunCall, model: string) {
  const { reply } = exchange
  const at = deps.clock.now()
  try {
    const answer = await answerWhileHeard(deps, exchange, begun)
    if (answer) sendLater(reply, 200, writeCompletion(begun.id, model, at, answer))
  } catch (error) {
    failLater(reply, toProgramError(error))
  }
}

async function stream(deps: Deps, exchange: Exchange, begun: BegunCall, call: Wish & { model: string }) {
  const { request, reply } = exchange
  const head = {
    ...{ id: PREFIX + begun.id, object: 'chat.completion.chunk', created: seconds(deps.clock.now()) },
    model: call.model,
  }
  const line = openWireStream(request, reply)
  let hasBegun = false
  const send = (delta: object, finish_reason: string | null = null) => {
    const first = hasBegun ? {} : { role: 'assistant' }
    hasBegun = true
    write(line.open(), { ...head, choices: [{ index: 0, delta: { ...first, ...delta }, finish_reason }] })
  }
  try {
    const answer = await answerWhileHeard(deps, exchange, begun, {
      hearing: {
        text: (content) => content && send({ content }),
        thought: (reasoning_content) => send({ reasoning_content }),
      },
    })
    if (!answer) return
    const tool_calls = answer.tool_calls.map((one, index) => ({ index, ...one }))
    const annotations = answer.annotations.map(toUrlCitation)
    if (tool_calls.length > 0) send({ tool_calls })
    if (annotations.length > 0) send({ annotations })
    send({}, answer.finish_reason)
    if (call.stream_options?.include_usage)
      write(line.open(), { ...head, choices: [], usage: writeUsage(answer) })
    line.open().write('data: [DONE]\n\n')
    line.open().close()
  } catch (error) {
    line.fail(toProgramError(error))
  } finally {
    line.over()
  }
}

function write(stream: EventStream, value: object): void {
  stream.write(`data: ${JSON.stringify(value)}\n\n`)
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

function writeCompletion(id: string, model: string, at: Date, answer: WireAnswer): ChatCompletion {
  const { text, tool_calls, annotations, finish_reason } = answer
  const message: ChatCompletion['choices'][number]['message'] = {
    ...{ role: 'assistant', content: text || null, refusal: null },
    annotations: annotations.map(toUrlCitation),
    ...(tool_calls.length > 0 && { tool_calls }),
  }
  return {
    ...{ id: PREFIX + id, object: 'chat.completion', created: seconds(at), model },
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    usage: writeUsage(answer),
  }
}

const toUrlCitation = (url_citation: WireAnswer['annotations'][number]) => ({
  ...{ type: 'url_citation' as const, url_citation },
})

function writeUsage({ usage: { input, output, cached, reasoning } }: WireAnswer) {
  return {
    ...{ prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}
