import type { AvailableModel, ConnectionKind } from '#shared/connections/connections.ts'
import { AppError } from '#shared/errors.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/db.ts'
import type { Secrets } from '../secrets.ts'
import { createCatalogue } from './catalogue.ts'
import { anthropicMessages } from './dialects/anthropic.ts'
import { googleGenerate } from './dialects/google.ts'
import { openaiChat } from './dialects/openai-chat.ts'
import { openaiResponses } from './dialects/openai-responses.ts'
import type { ConnectionState, Models } from './models.ts'
import { offlineModel } from './offline/offline.ts'
import type { ModelCall, ModelPart, StreamModel, Usage } from './port.ts'
import { priceOf } from './price.ts'
import { createTokenCounter, familyFactor } from './tokens/counter.ts'
import type { Dialect } from './wire/dialect.ts'
import { defaultPatience, streamOverWire } from './wire/stream.ts'

export const OFFLINE_MODEL = 'atrium/offline'

const dialects: Record<Exclude<ConnectionKind, 'cohere'>, Dialect> = {
  openai: openaiResponses,
  anthropic: anthropicMessages,
  google: googleGenerate,
  compatible: openaiChat,
}

const offline: AvailableModel = {
  id: OFFLINE_MODEL,
  name: 'Atrium offline',
  provider: 'atrium',
  provider_name: 'Atrium',
  context_tokens: 128_000,
  max_output_tokens: null,
  input_price: null,
  output_price: null,
  local: true,
  is_default: false,
}

/** The models of this installation: the built-in one and those of every configured provider. */
export function createModels(
  source: { db: Database; config: Config; secrets: Secrets },
  patience = defaultPatience,
): Models {
  const catalogue = createCatalogue(source)
  const counter = createTokenCounter()

  const list = async (): Promise<AvailableModel[]> => {
    const states = await catalogue.read()
    const found = states.filter(({ enabled }) => enabled).flatMap(offeredModels)
    return [...found, offline].map((model, place) => ({ ...model, is_default: place === 0 }))
  }
  const findConnection = async (modelId: string): Promise<ConnectionState> => {
    const state = (await catalogue.read()).find(
      ({ provider, enabled }) => enabled && modelId.startsWith(`${provider}/`),
    )
    if (!state) throw notAvailable(modelId)
    const model = state.models.find(({ id }) => id === modelId)
    // While a provider's list cannot be read nobody can say that a model is missing.
    if (model ? !model.offered : state.status === 'ok') throw notAvailable(modelId)
    return state
  }
  const open = async (modelId: string): Promise<StreamModel> => {
    if (modelId === OFFLINE_MODEL) return offlineModel
    const connection = await findConnection(modelId)
    if (connection.kind !== 'cohere') return streamOverWire(dialects[connection.kind], connection, patience)
    const { streamThroughSdk } = await import('./sdk/adapter.ts')
    return streamThroughSdk(connection)
  }
  const countTokens = async (modelId: string, text: string) =>
    Math.ceil((await counter.count(text)) * familyFactor(modelId))

  return {
    list,
    defaultId: async () => (await list())[0]?.id ?? OFFLINE_MODEL,
    find: async (modelId) => {
      const known = (await list()).find(({ id }) => id === modelId)
      return known ?? unlisted(modelId, await findConnection(modelId))
    },
    async *stream(modelId, call, signal) {
      const stream = await open(modelId)
      const model = modelId.slice(modelId.indexOf('/') + 1)
      const estimate = (text: string) => countTokens(modelId, text)
      yield* withUsage(stream({ ...call, model }, signal), call, estimate)
    },
    price: async (modelId, usage) => {
      const model =
        modelId === OFFLINE_MODEL
          ? undefined
          : (await catalogue.read()).flatMap((state) => state.models).find(({ id }) => id === modelId)
      return priceOf(modelId, model, usage)
    },
    countTokens,
    connections: () => catalogue.read(),
    refresh: () => catalogue.forget(),
    close: () => counter.close(),
  }
}

/** Providers that say nothing about usage get an estimate, marked as one. */
async function* withUsage(
  parts: AsyncIterable<ModelPart>,
  call: Omit<ModelCall, 'model'>,
  count: (text: string) => Promise<number>,
): AsyncGenerator<ModelPart> {
  let hasUsage = false
  let answered = ''
  for await (const part of parts) {
    if (part.type === 'usage') hasUsage = true
    else if (!hasUsage && (part.type === 'text' || part.type === 'reasoning')) answered += part.text
    if (part.type === 'finish' && !hasUsage)
      yield { type: 'usage', ...(await estimateUsage(call, answered, count)) }
    yield part
  }
}

async function estimateUsage(
  call: Omit<ModelCall, 'model'>,
  answered: string,
  count: (text: string) => Promise<number>,
): Promise<Usage> {
  const [input_tokens, output_tokens] = await Promise.all([
    count(JSON.stringify(call.messages)),
    count(answered),
  ])
  return { input_tokens, output_tokens, cached_tokens: 0, reasoning_tokens: 0, estimated: true }
}

function offeredModels(state: ConnectionState): AvailableModel[] {
  return state.models
    .filter(({ offered }) => offered)
    .map(({ offered: _, edited: __, ...model }) => ({ ...model, ...placeOf(state), is_default: false }))
}

function unlisted(modelId: string, state: ConnectionState): AvailableModel {
  const name = modelId.slice(state.provider.length + 1)
  const unknown = { context_tokens: null, max_output_tokens: null, input_price: null, output_price: null }
  return { id: modelId, name, ...placeOf(state), ...unknown, is_default: false }
}

function placeOf({ provider, name, base_url }: ConnectionState) {
  return { provider, provider_name: name, local: isPrivateHost(new URL(base_url).hostname) }
}

/** Addresses of this machine and of private networks (RFC 1918, RFC 4193, .local). */
function isPrivateHost(host: string): boolean {
  return /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[?::1|\[?f[cd])|\.(local|internal|lan)$/i.test(
    host,
  )
}

function notAvailable(modelId: string): AppError {
  return new AppError('not_available', `The model ${modelId} is not available.`)
}
