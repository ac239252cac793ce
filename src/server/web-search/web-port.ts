import type { WebPort } from '#shared/web-search/web-port.ts'
import type { Platform } from '../platform.ts'
import { modelOf } from '../rag/rag.ts'
import type { Leaf, RunContext } from '../runs/runs.ts'
import { answerFromPages } from './answer-from-pages.ts'
import { askEngines } from './ask-engines.ts'
import { fittingPassages } from './fitting-passages.ts'
import { readPages } from './read-pages.ts'

type Deps = Pick<Platform, 'grants' | 'config' | 'outbound' | 'parsing' | 'db' | 'clock' | 'log' | 'models'>
/** Who pays for a model call inside a step. */
type Paying = Pick<Leaf, 'reserve' | 'bill'>

/** The web as a tool of a run reaches it; `paying` is the step it is in. */
export function createWebPort(
  deps: Deps,
  { input }: Pick<RunContext, 'input'>,
  signal: AbortSignal,
  paying: () => Paying | null,
): WebPort {
  return {
    search: (question) => askEngines(deps, { ...question, spoken: input.language }, signal),
    read: async ({ query }, hits, told) => {
      const read = await readPages(deps, hits, signal, told)
      told('RERANKING')
      return fittingPassages(deps, query, hits, read, signal)
    },
    answer: async ({ query, time_range }, { engine, failures }, reading, onText) => {
      const model = input.model_name || (await modelOf(deps, input))
      const payer = {
        reserve: async (...call: Parameters<Leaf['reserve']>) => paying()?.reserve(...call),
        bill: (usage: Parameters<Leaf['bill']>[0]['usage']) =>
          paying()?.bill({ model_name: model, reason: 'tool', usage }),
      }
      const asked = { query, reading, language: input.language, model }
      const answered = await answerFromPages(deps, asked, { signal, payer, onText })
      return { query, time_range, engine, failures, ...answered }
    },
  }
}
