import { countMessageTokens, createMessage, type MessagesCall } from '#shared/api/anthropic/messages.ts'
import { findModelFor } from '../../models/model-choice/model-choice.ts'
import type { ModelMessage } from '../../models/models/port.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import {
  acceptKeyHeader,
  answerInWire,
  answerWhileHeard,
  type BegunCall,
  beginChat,
  type Exchange,
  failLater,
  findWireAssistant,
  readCompletion,
  sendLater,
  toProgramError,
} from '../openai/openai.ts'
import { anthropicForm } from './message-error.ts'
import { readMessagesCall } from './read-messages-call.ts'
import { streamMessage } from './stream-message.ts'
import { writeMessage } from './write-message.ts'

/** Tokens of a picture, whatever its size: the most that Anthropic counts. */
const PICTURE_TOKENS = 1_600

/** Serves models and assistants to clients of Anthropic's Messages API. */
export function serveAnthropic(server: Server, deps: Deps): void {
  const { http } = server
  answerInWire(http, anthropicForm)
  acceptKeyHeader(http)
  http.addHook('onSend', async (_, reply) => void reply.header('cache-control', 'no-store'))
  serve(server, createMessage, {
    handle: async ({ user, body, request, reply }) => {
      await answerMessage(deps, { user, request, reply }, body)
      // The response is sent when the model has answered.
      return undefined as never
    },
  })
  serve(server, countMessageTokens, {
    handle: async ({ user, body }) => ({ input_tokens: await countTokens(deps, user, body) }),
  })
}

async function answerMessage(deps: Deps, exchange: Exchange, call: MessagesCall): Promise<void> {
  const begun = await beginChat(deps, exchange, readMessagesCall(call))
  const { request, reply } = exchange
  // Waiting for a model must not count as an active request.
  reply.hijack()
  const wish = { model: call.model, thinks: call.thinking !== undefined && call.thinking.type !== 'disabled' }
  const answering = call.stream
    ? streamMessage(deps, exchange, begun, wish)
    : wait(deps, exchange, begun, wish)
  answering.catch((error) => {
    request.log.error({ error }, 'A call could not be answered.')
    reply.raw.destroy()
  })
}

type Wish = { model: string; thinks: boolean }

async function wait(deps: Deps, exchange: Exchange, begun: BegunCall, { model, thinks }: Wish) {
  const { reply } = exchange
  let thinking = ''
  const hearing = {
    text: () => undefined,
    thought: (text: string) => {
      if (thinks) thinking += text
    },
  }
  try {
    const answer = await answerWhileHeard(deps, exchange, begun, { hearing })
    if (answer) sendLater(reply, 200, writeMessage({ id: begun.id, model }, answer, thinking))
  } catch (error) {
    failLater(reply, toProgramError(error), anthropicForm)
  }
}

async function countTokens(
  deps: Deps,
  user: Caller,
  call: Parameters<typeof readMessagesCall>[0],
): Promise<number> {
  const assistant = await findWireAssistant(deps, user, call.model)
  if (!assistant) await findModelFor(deps, user.id, call.model)
  const { completion } = await readCompletion(deps, user, readMessagesCall(call), {
    ...{ earlier: [], instructions: 0 },
  })
  const { messages, tools } = completion
  const texts = messages.map(textOf)
  const counted = await deps.models.countTokens(
    assistant?.model_name ?? call.model,
    [...texts, ...(tools.length > 0 ? [JSON.stringify(tools)] : [])].join('\n'),
  )
  return counted + PICTURE_TOKENS * messages.reduce((sum, message) => sum + picturesIn(message), 0)
}

function textOf(message: ModelMessage): string {
  if (message.role === 'system') return message.content
  const parts: readonly { text?: string; input?: string; output?: string }[] = message.content as never
  return parts.map(({ text, input, output }) => text ?? input ?? output ?? '').join('\n')
}

const picturesIn = ({ role, content }: ModelMessage): number =>
  role === 'user' ? content.filter(({ type }) => type === 'file').length : 0
