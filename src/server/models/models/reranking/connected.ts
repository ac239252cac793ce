import type { Configured } from '../configured.ts'
import type { Counted, Usage } from '../port.ts'
import type { Gate } from '../wire/gate.ts'
import { rerank } from './rerank.ts'

/**
 * `provider_name`: null where it runs here. `rate`: how well each text answers a question, from 0 to 1, in their order; `bill` hears what a
 * provider used. @throws ModelError
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

/** So many texts are one search. */
const TEXTS_OF_A_SEARCH = 100

type CountTokens = (modelId: string, text: string) => Promise<number>

/** A reranker of a provider. */
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

/** Where searches are counted, tokens are not; where nothing is, they are counted here. */
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
