import { createTranscription } from '#shared/api/openai/audio.ts'
import { createChatCompletion, getChatCompletion } from '#shared/api/openai/chat.ts'
import * as wireFiles from '#shared/api/openai/files.ts'
import {
  ASSISTANT_PREFIX,
  createEmbeddings,
  getWireModel,
  listWireModels,
} from '#shared/api/openai/models.ts'
import { cancelResponse, createResponse, getResponse } from '#shared/api/openai/responses.ts'
import { AppError } from '#shared/platform/errors.ts'
import { sendContent } from '../../knowledge/documents/documents.ts'
import { findModelFor, listModelsFor } from '../../models/model-choice/model-choice.ts'
import { assertOpen } from '../../platform/access/access.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { answerTranscription, listSpeechModels } from './audio/transcriptions.ts'
import { answerChat, readChat } from './chat-completions.ts'
import { embedTexts, listEmbeddingModels } from './embeddings.ts'
import { createFile, deleteFile, findFile, listOwnFiles, showFile } from './files.ts'
import { findWireAssistant, isForAssistants, listWireAssistants } from './find-assistant.ts'
import { untilClosed } from './open-stream.ts'
import { answerResponse, readResponse, stopResponse } from './responses.ts'
import { removeOldCalls } from './store.ts'
import { acceptKeyHeader, answerInWire } from './wire-error.ts'

export { answerWhileHeard, type Exchange } from './answer-while-heard.ts'
export { awaitCall } from './await-call.ts'
export { type BegunCall, beginAnswer, callIdOf } from './begin-call.ts'
export { beginChat } from './chat-completions.ts'
export { findWireAssistant, listWireAssistants, slugOf } from './find-assistant.ts'

export { openWireStream } from './open-stream.ts'
export type { WireAnswer } from './read-answer.ts'
export { readCompletion } from './read-messages.ts'
export {
  acceptKeyHeader,
  answerInWire,
  type ErrorForm,
  failLater,
  sendLater,
  toWireError,
  wireStatus,
} from './wire-error.ts'
export { refuse, toProgramError } from './wire-failure.ts'

/** Serves models and assistants to clients of the OpenAI wire. */
export function serveOpenAi(server: Server, deps: Deps): void {
  const { http } = server
  answerInWire(http)
  acceptKeyHeader(http)
  http.addHook('onSend', async (_, reply) => void reply.header('cache-control', 'no-store'))
  deps.jobs.register('openai.cleanup', () => removeOldCalls(deps), { cron: '41 * * * *' })
  serve(server, listWireModels, {
    handle: async ({ user }) => ({ object: 'list' as const, data: await listAll(deps, user) }),
  })
  serve(server, getWireModel, {
    handle: async ({ user, params: { '*': id } }) => {
      const assistant = await findWireAssistant(deps, user, id)
      const isSpeech = !assistant && (await listSpeechModels(deps)).includes(id)
      if (isSpeech) await assertOpen(deps.grants, user.id, { kind: 'feature', id: 'transcription' })
      else if (!assistant && !(await isEmbedding(deps, user, id))) await findModelFor(deps, user.id, id)
      return describe(id, assistant ? 'assistant' : (id.split('/')[0] ?? ''))
    },
  })
  serve(server, createChatCompletion, {
    handle: async ({ user, body, request, reply }) => {
      await answerChat(deps, { user, request, reply }, body)
      // The response is sent when the model has answered.
      return undefined as never
    },
  })
  serve(server, getChatCompletion, {
    handle: ({ user, params }) => readChat(deps, user, params.completionId),
  })
  serve(server, createResponse, {
    handle: async ({ user, body, request, reply }) => {
      await answerResponse(deps, { user, request, reply }, body)
      return undefined as never
    },
  })
  serve(server, getResponse, {
    handle: ({ user, params }) => readResponse(deps, user, params.responseId),
  })
  serve(server, cancelResponse, {
    handle: ({ user, params }) => stopResponse(deps, user, params.responseId),
  })
  serve(server, createEmbeddings, {
    handle: ({ user, body, reply }) => embedTexts(deps, user, body, untilClosed(reply)),
  })
  serve(server, createTranscription, {
    handle: async ({ user, request, reply }) => {
      await answerTranscription(deps, { user, request, reply })
      return undefined as never
    },
  })
  serveWireFiles(server, deps)
  http.setNotFoundHandler((request) => {
    throw new AppError('not_found', `There is nothing at ${request.method} ${request.url.slice(0, 200)}.`)
  })
}

function serveWireFiles(server: Server, deps: Deps): void {
  serve(server, wireFiles.createWireFile, { handle: ({ user, request }) => createFile(deps, user, request) })
  serve(server, wireFiles.listWireFiles, { handle: ({ user, query }) => listOwnFiles(deps, user, query) })
  serve(server, wireFiles.getWireFile, {
    handle: async ({ user, params }) =>
      showFile(await findFile(deps, user, 'read document', params.wireFileId)),
  })
  serve(server, wireFiles.readWireFile, {
    handle: async ({ user, params, request, reply }) => {
      const { id } = await findFile(deps, user, 'read document', params.wireFileId)
      await sendContent(deps, request, reply, { id, original: true })
      // The file itself is the response.
      return undefined as never
    },
  })
  serve(server, wireFiles.deleteWireFile, {
    handle: ({ user, params, request }) => deleteFile(deps, user, params.wireFileId, request),
  })
}

const isEmbedding = async (deps: Deps, user: Caller, id: string) =>
  (await listEmbeddingModels(deps, user)).some((one) => one.id === id)

async function listAll(deps: Deps, user: Caller) {
  const chats = await listModelsFor(deps, user.id)
  const chatIds = new Set(chats.map(({ id }) => id))
  const embeddings = (await listEmbeddingModels(deps, user)).filter(({ id }) => !chatIds.has(id))
  const models = [...chats, ...embeddings]
  const isListed = new Set(models.map(({ id }) => id))
  const mayTranscribe = !(await deps.grants.closedTo(user.id)).has('feature', 'transcription')
  const speech = mayTranscribe ? (await listSpeechModels(deps)).filter((id) => !isListed.has(id)) : []
  const assistants = isForAssistants(user) ? await listWireAssistants(deps, user) : []
  return [
    ...models.map(({ id }) => describe(id, ownerOf(id))),
    ...speech.map((id) => describe(id, ownerOf(id))),
    ...assistants.map(({ id, name }) => ({ ...describe(ASSISTANT_PREFIX + id, 'assistant'), name })),
  ]
}

const ownerOf = (id: string) => (id.includes('/') ? id.slice(0, id.indexOf('/')) : 'atrium')
const describe = (id: string, owned_by: string) => ({ id, object: 'model' as const, created: 0, owned_by })
