import type { WebPort } from '#shared/knowledge/web-search/web-port.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import type { RunContext } from '../../runs/runs/runs.ts'
import { modelOf, type PayingStep, payInStep } from '../rag/rag.ts'
import { answerFromPages } from './answer-from-pages.ts'
import { askEngines } from './ask-engines.ts'
import { fittingPassages } from './fitting-passages.ts'
import { readPages } from './read-pages.ts'

type Deps = Pick<ModelDeps, 'grants' | 'config' | 'outbound' | 'parsing' | 'db' | 'clock' | 'log' | 'models'>

/** Creates the web port of a run's tools; `paying` returns the step that pays for a call. */
export function createWebPort(
  deps: Deps,
  { input }: Pick<RunContext, 'input'>,
  signal: AbortSignal,
  paying: () => PayingStep | null,
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
      const payer = payInStep(deps, input.user_id, paying, 'tool')
      const asked = { query, reading, language: input.language, model }
      const answered = await answerFromPages(deps, asked, { signal, payer, onText })
      return { query, time_range, engine, failures, ...answered }
    },
  }
}
