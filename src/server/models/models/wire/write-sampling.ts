import type { Effort } from '#shared/models/connections/tuning.ts'
import type { ModelCall } from '../port.ts'

type Body = Record<string, unknown>

/** How an answer is chosen, for chat completions. Parameters that a server refuses are left out from then on. */
export function chatSampling({ sampling = {} }: ModelCall): Body {
  const { top_p, top_k, stop, seed, presence_penalty, frequency_penalty, effort } = sampling
  return defined({
    ...{ top_p, top_k, stop, seed, presence_penalty, frequency_penalty, reasoning_effort: effort },
  })
}

/** The same for the responses API, which takes neither seeds nor penalties; its answers are cut at `stop` here. */
export function responsesSampling({ sampling: { top_p, effort } = {} }: ModelCall, thinks: boolean): Body {
  return defined({
    top_p: thinks ? undefined : top_p,
    reasoning: thinks && effort ? { effort } : undefined,
  })
}

/** The same for the messages API, which takes no seeds and no penalties. */
export function messagesSampling({ sampling = {}, temperature }: ModelCall): Body {
  const { top_p, top_k, stop, effort } = sampling
  return defined({
    // Newer models refuse both at once.
    top_p: temperature === undefined ? top_p : undefined,
    top_k,
    // A sequence of spaces is refused.
    stop_sequences: stop?.filter((sequence) => sequence.trim() !== ''),
    output_config: effort && messagesEfforts[effort] ? { effort: messagesEfforts[effort] } : undefined,
  })
}

const messagesEfforts: Partial<Record<Effort, string>> = {
  ...{ minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'high' },
}

/** The same for generateContent, inside `generationConfig`. */
export function generateSampling({ sampling = {}, model }: ModelCall): Body {
  const { top_p, top_k, stop, seed, presence_penalty, frequency_penalty, effort } = sampling
  return defined({
    ...{ topP: top_p, topK: top_k, stopSequences: stop, seed },
    ...{ presencePenalty: presence_penalty, frequencyPenalty: frequency_penalty },
    thinkingConfig: effort && writeThinking(effort, model),
  })
}

/** Tokens of thoughts for models before Gemini 3, which take no level. */
const budgets: Record<Effort, number> = {
  ...{ none: 512, minimal: 512, low: 1_024, medium: 8_192, high: 24_576, xhigh: 24_576 },
}

function writeThinking(effort: Effort, model: string): Body {
  if (/gemini-2/i.test(model)) return { thinkingBudget: budgets[effort] }
  // Not every model has a medium level.
  return { thinkingLevel: ['none', 'minimal', 'low'].includes(effort) ? 'low' : 'high' }
}

const defined = (body: Body): Body =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
