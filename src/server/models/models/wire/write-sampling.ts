import type { Effort } from '#shared/models/connections/tuning.ts'
import type { ModelCall } from '../port.ts'

type Body = Record<string, unknown>

/** Sampling parameters of chat completions. A parameter that a server rejects is left out of later calls. */
export function chatSampling({ sampling = {} }: ModelCall): Body {
  const { top_p, top_k, stop, seed, presence_penalty, frequency_penalty, effort } = sampling
  return defined({
    ...{ top_p, top_k, stop, seed, presence_penalty, frequency_penalty, reasoning_effort: effort },
  })
}

/** Sampling parameters of the Responses API, which accepts no seed or penalties. Atrium cuts the answer at `stop`. */
export function responsesSampling({ sampling: { top_p, effort } = {} }: ModelCall, thinks: boolean): Body {
  return defined({
    top_p: thinks ? undefined : top_p,
    reasoning: thinks && effort ? { effort } : undefined,
  })
}

/** Sampling parameters of the Messages API, which accepts no seed and no penalties. */
export function messagesSampling({ sampling = {}, temperature }: ModelCall): Body {
  const { top_p, top_k, stop, effort } = sampling
  return defined({
    // Newer models reject a request with both.
    top_p: temperature === undefined ? top_p : undefined,
    top_k,
    // The API rejects sequences of white space only.
    stop_sequences: stop?.filter((sequence) => sequence.trim() !== ''),
    output_config: effort && messagesEfforts[effort] ? { effort: messagesEfforts[effort] } : undefined,
  })
}

const messagesEfforts: Partial<Record<Effort, string>> = {
  ...{ minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'high' },
}

/** Sampling parameters of `generateContent`, inside `generationConfig`. */
export function generateSampling({ sampling = {}, model }: ModelCall): Body {
  const { top_p, top_k, stop, seed, presence_penalty, frequency_penalty, effort } = sampling
  return defined({
    ...{ topP: top_p, topK: top_k, stopSequences: stop, seed },
    ...{ presencePenalty: presence_penalty, frequencyPenalty: frequency_penalty },
    thinkingConfig: effort && writeThinking(effort, model),
  })
}

/** Thinking tokens of models before Gemini 3, which accept no level. */
const budgets: Record<Effort, number> = {
  ...{ none: 512, minimal: 512, low: 1_024, medium: 8_192, high: 24_576, xhigh: 24_576 },
}

function writeThinking(effort: Effort, model: string): Body {
  if (/gemini-2/i.test(model)) return { thinkingBudget: budgets[effort] }
  // Some models have no medium level.
  return { thinkingLevel: ['none', 'minimal', 'low'].includes(effort) ? 'low' : 'high' }
}

const defined = (body: Body): Body =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
