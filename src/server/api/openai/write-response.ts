import type { WireResponse } from '#shared/api/openai/answers.ts'
import type { AppError } from '#shared/platform/errors.ts'
import type { WireAnswer } from './read-answer.ts'
import type { CallFacts } from './store.ts'
import { wireCode } from './wire-error.ts'

export const RESPONSE_PREFIX = 'resp_'

type Head = { id: string; model: string; at: Date; kept: CallFacts }
type Status = WireResponse['status']

const cuts: Partial<Record<WireAnswer['finish_reason'], string>> = {
  ...{ length: 'max_output_tokens', content_filter: 'content_filter' },
}

/** Builds a response object with the answer so far. */
export function writeResponse(
  { id, model, at, kept }: Head,
  status: Status,
  answer: WireAnswer | null = null,
  error: AppError | null = null,
): WireResponse {
  const cut = answer ? cuts[answer.finish_reason] : undefined
  return {
    ...{ id: RESPONSE_PREFIX + id, object: 'response', created_at: Math.floor(at.getTime() / 1000), model },
    ...{ previous_response_id: kept.previous_response_id ?? null, store: kept.store ?? true },
    status: cut ? 'incomplete' : status,
    error: error && { code: wireCode(error), message: error.detail },
    incomplete_details: cut ? { reason: cut } : null,
    output: answer ? writeOutput(id, answer) : [],
    usage: answer && writeUsage(answer),
    ...{ instructions: null, metadata: {}, parallel_tool_calls: true, temperature: null, top_p: null },
    ...{ tool_choice: 'auto', tools: [] },
  }
}

/** Builds the output items: a message and the caller's tool calls. */
export function writeOutput(id: string, { text, annotations, tool_calls }: WireAnswer) {
  const calls = tool_calls.map(({ id: call_id, function: called }, index) => ({
    ...{ id: `fc_${id}_${index}`, type: 'function_call' as const, status: 'completed', call_id },
    ...{ name: called.name, arguments: called.arguments },
  }))
  if (text === '' && calls.length > 0) return calls
  const content = [writeText(text, annotations)]
  const message = {
    id: `msg_${id}`,
    type: 'message' as const,
    role: 'assistant' as const,
    status: 'completed',
    content,
  }
  return [message, ...calls]
}

export function writeText(text: string, annotations: WireAnswer['annotations'] = []) {
  return {
    ...{ type: 'output_text' as const, text, logprobs: [] },
    annotations: annotations.map((annotation) => ({ type: 'url_citation' as const, ...annotation })),
  }
}

function writeUsage({ usage: { input, output, cached, reasoning } }: WireAnswer) {
  return {
    ...{ input_tokens: input, output_tokens: output, total_tokens: input + output },
    input_tokens_details: { cached_tokens: cached },
    output_tokens_details: { reasoning_tokens: reasoning },
  }
}
