import type { OfferedEmbedding } from '#shared/knowledge/embedding-model/embedding-model.ts'
import type { Log } from '../../../platform/log.ts'
import { ModelError } from '../port.ts'
import { notAvailable } from '../process/model-process.ts'
import { createTurns } from '../process/turns.ts'
import { type EmbedProcess, startEmbedProcess } from './embed-process.ts'
import { rateMatches } from './late-interaction.ts'
import { embedLexically } from './lexical.ts'

/** An embedding that needs no provider. Its vectors have length 1; its id is stored with every vector. */
export type BuiltInEmbedding = {
  id: string
  dimensions: number
  /** Returns one vector per text, in order. @throws ModelError; the reason of `signal` once it is aborted */
  embed(texts: string[], signal: AbortSignal): Promise<Float32Array[]>
}

export type BuiltInEmbeddings = {
  /** Returns gte-small, run by a separate process, or lexical vectors where its packages are missing. */
  best(): Promise<BuiltInEmbedding>
  find(modelId: string): BuiltInEmbedding | null
  /** Starts the process of gte-small, if that is the model. @throws ModelError when that fails for now */
  warm(modelId: string): Promise<void>
  offered: OfferedEmbedding[]
  /**
   * Rates how well the tokens of each text match those of the question, in the order of the texts. Rates are at most 1 and comparable
   * within one call only. @throws ModelError; the reason of `signal` once it is aborted
   */
  compare(question: string, texts: string[], signal: AbortSignal): Promise<number[]>
  close(): void
}

/** More characters than 256 tokens of text have. */
const CHARACTERS_OF_A_TEXT = 8_000
const DIMENSIONS = 384
const here = { provider_name: null, dimensions: DIMENSIONS, is_monolingual: true, problem: null }

/** `folder` stores the model, which is created at first use. The process ends after `idleMs` without work. */
export function createBuiltInEmbeddings({ folder, log, idleMs = 120_000 }: Options): BuiltInEmbeddings {
  const model = createModelEmbedding({ folder, log, idleMs })
  const lexical: BuiltInEmbedding = { id: 'atrium/lexical', dimensions: DIMENSIONS, embed: embedLexically }
  return {
    best: async () => ((await model.isPossible()) ? model : lexical),
    find: (modelId) => [model, lexical].find(({ id }) => id === modelId) ?? null,
    warm: async (modelId) => {
      if (modelId === model.id) await model.isPossible()
    },
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
      // Missing packages appear only with a restart.
      refusal = error
      log.warn(
        { reason: error.message },
        'the built-in embedding gte-small cannot run here; falling back to lexical vectors (atrium/lexical)',
      )
      throw error
    }
  }
  const { inTurns, warm, end } = createTurns(start, idleMs)

  return {
    id: 'atrium/gte-small',
    dimensions: DIMENSIONS,
    /** Returns whether the model runs on this machine; starts it to find out. @throws ModelError when that cannot be determined now */
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
      refusal = notAvailable('the server is stopping')
      end()
    },
  }
}

const cut = (text: string) => text.slice(0, CHARACTERS_OF_A_TEXT)
