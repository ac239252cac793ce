import { AppError } from '#shared/errors.ts'
import { createChatCompletion, getChatCompletion } from '#shared/openai/chat.ts'
import { ASSISTANT_PREFIX, createEmbeddings, getWireModel, listWireModels } from '#shared/openai/models.ts'
import { cancelResponse, createResponse, getResponse } from '#shared/openai/responses.ts'
import type { Deps } from '../deps.ts'
import { type Caller, type Server, serve } from '../http/serve.ts'
import { answerChat, readChat } from './chat-completions.ts'
import { embedTexts } from './embeddings.ts'
import { findWireAssistant, isForAssistants, listWireAssistants } from './find-assistant.ts'
import { answerResponse, readResponse, stopResponse } from './responses.ts'
import { removeOldCalls } from './store.ts'
import { answerInWire } from './wire-error.ts'

/** Where clients of the OpenAI wire find it. */
export const OPENAI_BASE = '/v1'

/** The OpenAI wire: models and assistants for any client that speaks it. */
export function serveOpenAi(server: Server, deps: Deps): void {
  const { http } = server
  answerInWire(http)
  // Its routes are described by those who invented them.
  const wire: Server = { ...server, routes: [] }
  http.addHook('onSend', async (_, reply) => void reply.header('cache-control', 'no-store'))
  deps.jobs.register('openai.cleanup', () => removeOldCalls(deps), { cron: '41 * * * *' })
  serve(wire, listWireModels, {
    handle: async ({ user, reply }) => reply.send({ object: 'list', data: await listAll(deps, user) }),
  })
  serve(wire, getWireModel, {
    handle: async ({ user, request, reply }) => {
      const { '*': id = '' } = request.params as { '*'?: string }
      const assistant = await findWireAssistant(deps, user, id)
      if (!assistant) await deps.models.find(id)
      return reply.send(describe(id, assistant ? 'assistant' : (id.split('/')[0] ?? '')))
    },
  })
  serve(wire, createChatCompletion, {
    handle: async ({ user, body, request, reply }) => answerChat(deps, { user, request, reply }, body),
  })
  serve(wire, getChatCompletion, {
    handle: async ({ user, params, reply }) => reply.send(await readChat(deps, user, params.completionId)),
  })
  serve(wire, createResponse, {
    handle: async ({ user, body, request, reply }) => answerResponse(deps, { user, request, reply }, body),
  })
  serve(wire, getResponse, {
    handle: async ({ user, params, reply }) => reply.send(await readResponse(deps, user, params.responseId)),
  })
  serve(wire, cancelResponse, {
    handle: async ({ user, params, reply }) => reply.send(await stopResponse(deps, user, params.responseId)),
  })
  serve(wire, createEmbeddings, {
    handle: async ({ user, body, reply }) => reply.send(await embedTexts(deps, user, body)),
  })
  http.setNotFoundHandler((request) => {
    throw new AppError('not_found', `There is nothing at ${request.method} ${request.url.slice(0, 200)}.`)
  })
}

async function listAll(deps: Deps, user: Caller) {
  const models = await deps.models.list()
  const assistants = isForAssistants(user) ? await listWireAssistants(deps, user) : []
  return [
    ...models.map(({ id, provider }) => describe(id, provider)),
    ...assistants.map(({ id, name }) => ({ ...describe(ASSISTANT_PREFIX + id, 'assistant'), name })),
  ]
}

const describe = (id: string, owned_by: string) => ({ id, object: 'model', created: 0, owned_by })
