import type { OfferedEmbedding } from '#shared/knowledge/embedding-model/embedding-model.ts'
import type { Log } from '../../../platform/log.ts'
import { ModelError } from '../port.ts'
import { notAvailable } from '../process/model-process.ts'
import { createTurns } from '../process/turns.ts'
import { type EmbedProcess, startEmbedProcess } from './embed-process.ts'
import { rateMatches } from './late-interaction.ts'
import { embedLexically } from './lexical.ts'

/** An embedding that needs no provider. Its vectors have the length 1; its id stands beside every vector that is kept. */
export type BuiltInEmbedding = {
  id: string
  dimensions: number
  /** One vector for every text, in their order. @throws ModelError; the reason of `signal` once it is aborted */
  embed(texts: string[], signal: AbortSignal): Promise<Float32Array[]>
}

export type BuiltInEmbeddings = {
  /** gte-small, read by a process of its own; or, where its packages are missing, vectors made of words alone. */
  best(): Promise<BuiltInEmbedding>
  find(modelId: string): BuiltInEmbedding | null
  offered: OfferedEmbedding[]
  /**
   * How well the tokens of gte-small of each text match those of a question, in their order: 1 at most, and only to be compared with
   * those of the same call. @throws ModelError; the reason of `signal` once it is aborted
   */
  compare(question: string, texts: string[], signal: AbortSignal): Promise<number[]>
  close(): void
}

/** Longer than any 256 tokens of language. */
const CHARACTERS_OF_A_TEXT = 8_000
const DIMENSIONS = 384
const here = { provider_name: null, dimensions: DIMENSIONS, is_monolingual: true, problem: null }

/** `folder`: where the model that is made at first use is kept. The process ends when it had nothing to do for `idleMs`. */
export function createBuiltInEmbeddings({ folder, log, idleMs = 120_000 }: Options): BuiltInEmbeddings {
  const model = createModelEmbedding({ folder, log, idleMs })
  const lexical: BuiltInEmbedding = { id: 'atrium/lexical', dimensions: DIMENSIONS, embed: embedLexically }
  return {
    best: async () => ((await model.isPossible()) ? model : lexical),
    find: (modelId) => [model, lexical].find(({ id }) => id === modelId) ?? null,
    offered: [
      { ...here, id: model.id, name: 'gte-small', max_tokens: 256 },
      { ...here, id: lexical.id, name: 'lexical', max_tokens: null },
    ],
    compare: model.compare,
    close: model.close,
  }
}

type Options = { folder: string; log: Log; idleMs?: number }

function createModelEmbedding({ folder, log, idleMs }: Required<Options>) {
  let refusal: ModelError | null = null
  const start = async (): Promise<EmbedProcess> => {
    if (refusal) throw refusal
    try {
      return await startEmbedProcess(folder)
    } catch (error) {
      if (!(error instanceof ModelError) || error.kind !== 'not_available') throw error
      // What is missing comes with a new start.
      refusal = error
      log.warn(
        { reason: error.message },
        'the built-in embedding gte-small cannot run here: texts are embedded by their words alone (atrium/lexical)',
      )
      throw error
    }
  }
  const { inTurns, warm, end } = createTurns(start, idleMs)

  return {
    id: 'atrium/gte-small',
    dimensions: DIMENSIONS,
    /** Whether it runs on this machine; starts it to know. @throws ModelError when that cannot be known now */
    isPossible: async (): Promise<boolean> => {
      try {
        await warm()
        return true
      } catch (error) {
        if (error === refusal) return false
        throw error
      }
    },
    embed: (texts: string[], signal: AbortSignal) =>
      inTurns(texts, signal, (embedder, some) => embedder.embed(some.map(cut))),
    compare: async (question: string, texts: string[], signal: AbortSignal) => {
      const asked = cut(question)
      return rateMatches(
        await inTurns(texts, signal, (embedder, some) => embedder.match(asked, some.map(cut))),
      )
    },
    close: () => {
      refusal = notAvailable('the server is being stopped')
      end()
    },
  }
}

const cut = (text: string) => text.slice(0, CHARACTERS_OF_A_TEXT)
