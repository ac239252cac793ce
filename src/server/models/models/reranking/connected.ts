import type { Configured } from '../configured.ts'
import type { Counted, Usage } from '../port.ts'
import type { Gate } from '../wire/gate.ts'
import { rerank } from './rerank.ts'

/**
 * A reranker. `provider_name` is null for an installed one. `rate` returns how well each text answers the question, from 0 to 1, in
 * order; `bill` receives the usage of a provider. @throws ModelError
 */
export type ConnectedReranker = {
  id: string
  name: string
  provider_name: string | null
  rate(
    question: string,
    texts: string[],
    signal: AbortSignal,
    bill?: (usage: Usage) => void,
  ): Promise<number[]>
}

/** Maximum texts of one search. */
const TEXTS_OF_A_SEARCH = 100

type CountTokens = (modelId: string, text: string) => Promise<number>

/** Connects a reranker of a provider. */
export function connectReranker(
  state: Configured,
  id: string,
  countTokens: CountTokens,
  openGate: () => Gate,
): ConnectedReranker {
  const name = id.slice(state.provider.length + 1)
  return {
    ...{ id, name, provider_name: state.name },
    rate: async (question, texts, signal, bill) => {
      const told: { used?: Counted } = {}
      const hear = (used: Counted) => {
        told.used = used
      }
      try {
        return await rerank(state, name, question, texts, signal, hear, openGate())
      } finally {
        if (told.used && bill) bill(await usageOf(told.used, { id, question, texts }, countTokens))
      }
    },
  }
}

/** Returns the searches that the provider counts, otherwise the tokens, which are counted here when it reports none. */
async function usageOf(
  { tokens, searches }: Counted,
  { id, question, texts }: { id: string; question: string; texts: string[] },
  countTokens: CountTokens,
): Promise<Usage> {
  const none = { output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0 }
  if (searches !== null) return { ...none, input_tokens: 0, searches, estimated: false }
  const read = texts.flatMap((text) => [question, text]).join('\n')
  const input_tokens = tokens ?? (await countTokens(id, read))
  const estimated = tokens === null
  return { ...none, input_tokens, searches: Math.ceil(texts.length / TEXTS_OF_A_SEARCH), estimated }
}
