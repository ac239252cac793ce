import { join } from 'node:path'
import type { OfferedEmbedding } from '#shared/knowledge/embedding-model/embedding-model.ts'
import type { LearnedAdaptation } from '#shared/models/connections/adaptations.ts'
import { type AvailableModel, BUILT_IN_MODEL } from '#shared/models/connections/connections.ts'
import { AppError } from '#shared/platform/errors.ts'
import { createClassGate } from '../../platform/access/classes/classes.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { adaptToRefusals } from './adapting/adaptive.ts'
import { type Learned, withFacts } from './adapting/learned.ts'
import { createLearnedStore } from './adapting/learned-store.ts'
import { createBuiltInEmbeddings } from './built-in-embedding/built-in-embedding.ts'
import { type ConnectionState, createCatalogue, isUsable } from './catalogue.ts'
import type { Configured } from './configured.ts'
import { embed } from './embeddings/embed.ts'
import type { EmbedTexts } from './embeddings/embed-texts.ts'
import { embeddingsOf } from './embeddings/offered.ts'
import { assertLength, embedInLength } from './embeddings/vector-length.ts'
import { draw } from './images/draw.ts'
import { IMAGE_TOKENS_MAX } from './images/drawers.ts'
import type { Drawn, DrawWish } from './images/image-wire.ts'
import { createInstalledEmbeddings } from './installed/installed-embeddings.ts'
import { createInstalledRerankers } from './installed/installed-rerankers.ts'
import { adaptLocal } from './installed/local/adapt-local.ts'
import { createLocalModels, isLocalId } from './installed/local/local-models.ts'
import { findKnownCost } from './listing/known-prices.ts'
import { priceUnlisted } from './listing/price-unlisted.ts'
import { offeredModels, placeOf, unlisted, withWindow } from './offered-models.ts'
import { createOfflineModel } from './offline/offline.ts'
import type { Caller, GivePart, ModelCall, StreamModel, Usage } from './port.ts'
import { mostUsage, type Price, priceOf } from './price.ts'
import { providerOf } from './provider/providers.ts'
import { type ConnectedReranker, connectReranker } from './reranking/connected.ts'
import { createTurns } from './rules/keys.ts'
import { createRuleGate } from './rules/rule-gate.ts'
import { type AskInTurn, createSlots, nobody, takesOneAtATime } from './rules/slots.ts'
import { readFallback } from './store.ts'
import { createCalibrations } from './tokens/calibration-store.ts'
import { createTokenCounter } from './tokens/counter.ts'
import { createMeter } from './tokens/metered.ts'
import { type AnswerLimits, readAnswerLimits } from './wire/allowance.ts'
import { cleanCall } from './wire/clean-call.ts'
import type { Gate } from './wire/gate.ts'
import { defaultPatience, localPatience, type Patience, patienceFor } from './wire/patience.ts'
import { streamOverWire } from './wire/stream.ts'

/** The models of this installation. Ids are `provider/model`. */
export type Models = {
  list(): Promise<AvailableModel[]>
  /** The model used when a session names none. */
  defaultId(): Promise<string>
  /** Returns a model. @throws AppError `not_available` when the id names no model that can be used now. */
  find(modelId: string): Promise<AvailableModel>
  /** Returns the model that replaces this one while its provider fails; null when there is none, or it cannot be used now. */
  fallbackOf(modelId: string): Promise<AvailableModel | null>
  /** Returns whether a model may receive the classes of the texts that are sent now. */
  mayReceive(modelId: string): Promise<boolean>
  /** Streams one answer; see `StreamModel`. @throws AppError `not_available`, ModelError. */
  stream(modelId: string, call: Omit<ModelCall, 'model'>, signal: AbortSignal, give: GivePart): Promise<void>
  /**
   * Reads the configured providers once and returns a function that finds the embedding of a model. The function throws AppError
   * `not_available`. `dimensions` requests vectors of this length; embedding throws `ModelError` when the model returns another.
   */
  embedders(): Promise<(modelId: string, dimensions?: number) => EmbedTexts>
  /** Returns the built-in and installed embedding models, and the known ones of connected providers, which may have more. */
  embeddings(): Promise<OfferedEmbedding[]>
  /** Starts the process of a built-in embedding model before its first text. Does nothing for other models. */
  warmEmbedding(modelId: string): Promise<void>
  /** Returns the price of so many tokens at an embedding model, in dollars; 0 for local models, null when no price is known. */
  embeddingPrice(modelId: string, tokens: number): Promise<number | null>
  /** Returns the built-in embedding: `atrium/gte-small`, or `atrium/lexical` where its packages are missing. */
  builtInEmbedding(): Promise<{ id: string; dimensions: number }>
  /** Rates texts by a question, token by token, with the built-in gte-small: at most 1, comparable within one call. @throws ModelError */
  compare(question: string, texts: string[], signal: AbortSignal): Promise<number[]>
  /** Returns the rerankers in folders of this installation, by name, and those of connected providers, as `provider/model`. */
  rerankers(): Promise<ConnectedReranker[]>
  /** Returns the reranker with this id, or null. A provider may have more than it lists. */
  findReranker(id: string): Promise<ConnectedReranker | null>
  /** Returns the model that makes images: the configured one, otherwise the first that a provider lists; null when there is none. */
  drawer(): Promise<string | null>
  /** Makes one image. `show` receives previews where the provider sends them. @throws AppError `not_available`, ModelError */
  draw(
    modelId: string,
    wish: DrawWish,
    signal: AbortSignal,
    show: (bytes: Uint8Array) => void,
  ): Promise<Drawn>
  /** Returns whether a model takes pictures, as far as is known. */
  sees(modelId: string): Promise<boolean>
  price(modelId: string, usage: Usage): Promise<Price>
  /** Returns the most that a call may reasonably cost, in dollars; 0 when no price is known. */
  mostCost(modelId: string, call: Pick<ModelCall, 'messages' | 'tools' | 'output'>): Promise<number>
  /** Counts the tokens of a text for this model's family, off the event loop. */
  countTokens(modelId: string, text: string): Promise<number>
  /** Decodes lists of cl100k tokens, as OpenAI clients send them; null when one of them is invalid. */
  decodeTokens(lists: number[][]): Promise<string[] | null>
  /** Returns every configured provider and what is known about its models, for administrators. */
  connections(): Promise<ConnectionState[]>
  /** Returns what refusals taught about the models of a provider. */
  adaptations(provider: string): Promise<LearnedAdaptation[]>
  /** Forgets what refusals taught about the models of a provider, or about one of them. */
  forgetAdaptations(provider: string, modelId?: string): Promise<void>
  /** Forgets the lists of providers, after a connection or a price changed. */
  refresh(): void
  close(): Promise<void>
}

const offline: AvailableModel = {
  id: BUILT_IN_MODEL,
  name: 'Built-in model',
  provider: 'atrium',
  provider_name: 'Atrium',
  context_tokens: 128_000,
  max_output_tokens: null,
  input_price: null,
  output_price: null,
  local: true,
  is_default: false,
}

/** Creates the models of this installation: the built-in one and those of every configured provider. */
export function createModels(
  source: { db: Database; config: Config; secrets: Secrets; clock: { now(): Date }; log: Log },
  patience?: Patience,
): Models {
  const catalogue = createCatalogue(source)
  const counter = createTokenCounter()
  const limits = readAnswerLimits(source.config)
  const meter = createMeter(counter, createCalibrations(source.db))
  const builtIn = createOfflineModel(source.clock)
  const embeddings = createBuiltInEmbeddings({ folder: source.config.modelsDir, log: source.log })
  const installed = createInstalledRerankers(join(source.config.modelsDir, 'rerankers'))
  const installedEmbeddings = createInstalledEmbeddings(join(source.config.modelsDir, 'embeddings'))
  const local = createLocalModels(source.config, { limits })
  const turns = createTurns()
  const slots = createSlots(source.db)
  const adaptations = createLearnedStore(source.db, source.clock)
  const gateOf = (connection: Configured, reckon: () => Promise<number> = async () => 0) =>
    createRuleGate({ db: source.db, turns }, connection, reckon)
  const inTurn =
    (queue: string, caller: Caller | undefined, signal: AbortSignal, ask: AskInTurn) => (give: GivePart) =>
      slots.inTurn(queue, caller ?? nobody, signal, give, ask)
  const openInstalled = (name: string): ConnectedReranker => ({
    ...{ id: name, name, provider_name: null },
    rate: (question, texts, signal) => installed.rate(name, question, texts, signal),
  })

  const list = async (): Promise<AvailableModel[]> => {
    const states = await catalogue.read()
    const found = states.filter(isUsable).flatMap(offeredModels)
    const windows = await adaptations.windows()
    const sized = found.map((model) => withWindow(model, windows.get(model.id)))
    const here = (await local.list()).map((model) => withWindow(model, windows.get(model.id)))
    return [...sized, ...here, offline].map((model, place) => ({ ...model, is_default: place === 0 }))
  }
  const findConnection = async (modelId: string): Promise<ConnectionState> => {
    const state = (await catalogue.read()).find(
      (one) => isUsable(one) && modelId.startsWith(`${one.provider}/`),
    )
    if (!state) throw notAvailable(modelId)
    const model = state.models.find(({ id }) => id === modelId)
    // While a provider's list cannot be read, a model that is missing in it may exist.
    if (model ? !model.offered : state.status === 'ok') throw notAvailable(modelId)
    return state
  }

  const findListed = (states: readonly ConnectionState[], modelId: string) => {
    if (modelId === BUILT_IN_MODEL) return null
    for (const state of states.filter(isUsable)) {
      const model = state.models.find(({ id }) => id === modelId)
      if (model) return { state, model }
    }
    return null
  }

  const priceIn = async (states: readonly ConnectionState[], modelId: string, usage: Usage) => {
    const isGone = isLocalId(modelId) && !states.some(({ provider }) => modelId.startsWith(`${provider}/`))
    if (isGone || (await local.find(modelId))) return { amount: 0, unpriced: false }
    const found = findListed(states, modelId)
    if (found) return priceOf(found.state, found.model, usage)
    const state = states.find((one) => modelId.startsWith(`${one.provider}/`))
    const amount = state && (await priceUnlisted(state, modelId, usage))
    return { amount: amount ?? 0, unpriced: typeof amount !== 'number' }
  }

  /** Returns the connection of a model that makes images. */
  const findDrawing = async (modelId: string) => {
    const states = (await catalogue.read()).filter(isUsable)
    const isWanted = modelId === source.config.ATRIUM_IMAGE_MODEL
    return states.find(({ provider, drawers }) =>
      isWanted ? modelId.startsWith(`${provider}/`) : drawers.includes(modelId),
    )
  }

  const embedWith = (
    connections: readonly ConnectionState[],
    modelId: string,
    dimensions: number | undefined,
  ): EmbedTexts => {
    const own = embeddings.find(modelId)
    if (own)
      return async (texts, signal) => {
        assertLength(modelId, own.dimensions, dimensions)
        return (await own.embed(texts, signal)).map((vector) => Array.from(vector))
      }
    if (installedEmbeddings.has(modelId))
      return async (texts, signal, role = 'passage') => {
        const vectors = await installedEmbeddings.embed(modelId, texts, role, signal)
        return vectors.map((vector) => Array.from(vector))
      }
    // Lists omit many embedding models: the provider itself knows whether it has this one.
    const state = connections.find((one) => isUsable(one) && modelId.startsWith(`${one.provider}/`))
    if (!state) throw notAvailable(modelId)
    const name = modelId.slice(state.provider.length + 1)
    return async (texts, signal, role = 'passage', bill) => {
      const counts: (number | Promise<number>)[] = []
      let isCounted = true
      const told = (tokens: number | null, some: string[]) => {
        if (tokens === null) isCounted = false
        counts.push(tokens ?? meter.countTokens(modelId, some.join('\n')))
      }
      const gate = gateOf(state, () => meter.countTokens(modelId, texts.join('\n')))
      const vectors = await embed(state, { name, dimensions }, texts, signal, role, bill && told, gate)
      // The listed price may differ from that of the table.
      const states = async () => (state.status === 'untested' ? catalogue.read() : [state])
      bill?.(
        Promise.all(counts).then((all) => usageOf(sum(all), { isCounted })),
        async (usage) => priceIn(await states(), modelId, usage),
      )
      return vectors
    }
  }

  return {
    list,
    defaultId: async () => (await list())[0]?.id ?? BUILT_IN_MODEL,
    find: async (modelId) => {
      const known = (await list()).find(({ id }) => id === modelId)
      if (known) return known
      const model = unlisted(modelId, await findConnection(modelId))
      return withWindow(model, (await adaptations.windows()).get(modelId))
    },
    fallbackOf: async (modelId) => {
      // A provider that fails may list nothing.
      const id = await readFallback(source.db, modelId)
      return (id && (await list()).find((model) => model.id === id)) || null
    },
    mayReceive: async (id) => {
      const gate = createClassGate(source.db, { id: id.slice(0, id.indexOf('/')), name: id })
      return (await gate.explain()) === null
    },
    stream: async (modelId, call, signal, give) => {
      const model = modelId.slice(modelId.indexOf('/') + 1)
      if (modelId === BUILT_IN_MODEL) return builtIn({ ...call, model }, signal, give)
      const here = await local.find(modelId)
      if (here) {
        const learned = adaptations.of({ model_id: modelId, base_url: '' })
        const adapted = adaptLocal(local.stream, here, learned, (sent) => meter.countCall(modelId, sent))
        const ask: AskInTurn = (until, giveOn) => adapted({ ...call, model }, until, giveOn)
        return meter.withUsage(modelId, call, inTurn(modelId, call.caller, signal, ask), give)
      }
      const connection = await findConnection(modelId)
      const gate = gateOf(connection, () => meter.countCall(modelId, call))
      const learned = adaptations.of({ model_id: modelId, base_url: connection.base_url })
      const wire = await open(connection, patience, limits, { gate, learned })
      const clean: StreamModel = (sent, until, giveOn) => wire(sent, until, (part) => giveOn(cleanCall(part)))
      const stream = adaptToRefusals(clean, withFacts(learned, connection.lacks.get(modelId) ?? []), {
        ...{ kind: connection.kind, base_url: connection.base_url },
        context_tokens: connection.models.find(({ id }) => id === modelId)?.context_tokens ?? null,
        count: (sent) => meter.countCall(modelId, sent),
      })
      const max_output_tokens = call.max_output_tokens ?? outputLimit(connection, modelId)
      const ask: AskInTurn = (until, giveOn) =>
        stream({ ...call, model, max_output_tokens }, until, (part) => giveOn(cleanCall(part)))
      const answer = takesOneAtATime(connection)
        ? inTurn(connection.provider, call.caller, signal, ask)
        : (giveOn: GivePart) => ask(signal, giveOn)
      const taken: { usage: Usage | null } = { usage: null }
      await meter.withUsage(modelId, call, answer, (part) => {
        if (part.type === 'usage') taken.usage = part
        give(part)
      })
      await gate.answered(taken.usage)
    },
    embedders: async () => {
      const states = await catalogue.known()
      return (modelId, dimensions) =>
        embedInLength(embedWith(states, modelId, dimensions), modelId, dimensions)
    },
    embeddings: async () => {
      const states = (await catalogue.read()).filter(isUsable)
      return [...embeddings.offered, ...(await installedEmbeddings.list()), ...states.flatMap(embeddingsOf)]
    },
    warmEmbedding: embeddings.warm,
    embeddingPrice: async (modelId, tokens) => {
      if (embeddings.find(modelId) || installedEmbeddings.has(modelId)) return 0
      const state = (await catalogue.read()).find((one) => modelId.startsWith(`${one.provider}/`))
      if (!state) return null
      const usage = usageOf(tokens, { isCounted: false })
      return findKnownCost(state, modelId.slice(state.provider.length + 1), usage)
    },
    builtInEmbedding: async () => {
      const { id, dimensions } = await embeddings.best()
      return { id, dimensions }
    },
    compare: embeddings.compare,
    rerankers: async () => {
      const states = (await catalogue.read()).filter(isUsable)
      return [
        ...(await installed.names()).map(openInstalled),
        ...states.flatMap((state) =>
          state.rerankers.map(({ id }) => connectReranker(state, id, meter.countTokens, () => gateOf(state))),
        ),
      ]
    },
    findReranker: async (id) => {
      if ((await installed.names()).includes(id)) return openInstalled(id)
      const state = (await catalogue.known()).find(
        (one) =>
          isUsable(one) && id.startsWith(`${one.provider}/`) && providerOf(one.kind).rerank?.(one.base_url),
      )
      return state ? connectReranker(state, id, meter.countTokens, () => gateOf(state)) : null
    },
    drawer: async () => {
      const wanted = source.config.ATRIUM_IMAGE_MODEL
      if (wanted) return (await findDrawing(wanted)) ? wanted : null
      const states = (await catalogue.read()).filter(isUsable)
      return states.flatMap(({ drawers }) => drawers)[0] ?? null
    },
    draw: async (modelId, wish, signal, show) => {
      const state = await findDrawing(modelId)
      if (!state) throw notAvailable(modelId)
      return draw(state, modelId.slice(state.provider.length + 1), wish, signal, show, gateOf(state))
    },
    sees: async (modelId) =>
      modelId !== BUILT_IN_MODEL &&
      !(await local.find(modelId)) &&
      adaptations.sees(await findConnection(modelId), modelId),
    price: async (modelId, usage) => priceIn(await catalogue.read(), modelId, usage),
    mostCost: async (modelId, call) => {
      const found = findListed(await catalogue.read(), modelId)
      if (found) return (await priceOf(found.state, found.model, mostUsage(found.model, call))).amount
      const state = await findDrawing(modelId)
      const most = mostUsage({ context_tokens: null, max_output_tokens: IMAGE_TOKENS_MAX }, call)
      const image_tokens = { input: 0, output: most.output_tokens }
      return (state && (await priceUnlisted(state, modelId, { ...most, image_tokens }))) ?? 0
    },
    countTokens: meter.countTokens,
    decodeTokens: counter.decode,
    connections: () => catalogue.read(),
    adaptations: adaptations.list,
    forgetAdaptations: adaptations.forget,
    refresh: () => catalogue.forget(),
    close: async () => {
      embeddings.close()
      installed.close()
      installedEmbeddings.close()
      local.close()
      await counter.close()
    },
  }
}

function usageOf(input_tokens: number, { isCounted }: { isCounted: boolean }): Usage {
  return { input_tokens, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0, estimated: !isCounted }
}

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0)

async function open(
  connection: ConnectionState,
  given: Patience | undefined,
  limits: AnswerLimits,
  { gate, learned }: { gate: Gate; learned: Learned },
): Promise<StreamModel> {
  const usual = given ?? (placeOf(connection).local ? localPatience : defaultPatience)
  const patience = patienceFor(usual, connection.limits.first_token_seconds)
  const { chat } = providerOf(connection.kind)
  if (typeof chat === 'function') return chat(connection, patience, limits, gate)
  return streamOverWire(chat, connection, patience, limits, gate, learned)
}

/** Returns the output limit of a call, for kinds that require one. */
function outputLimit({ kind, models, provider }: ConnectionState, modelId: string): number | undefined {
  const unknown = { context_tokens: null, max_output_tokens: null }
  const known = models.find(({ id }) => id === modelId) ?? unknown
  return providerOf(kind).calls.outputLimit?.(modelId.slice(provider.length + 1), known)
}

function notAvailable(modelId: string): AppError {
  return new AppError('not_available', `The model ${modelId} is not available.`)
}
