import type { WireMessage } from '#shared/api/anthropic/messages.ts'
import { tryJson } from '../../platform/outbound/foreign/foreign.ts'
import type { WireAnswer } from '../openai/openai.ts'

const stops: Record<WireAnswer['finish_reason'], NonNullable<WireMessage['stop_reason']>> = {
  ...{ stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use', content_filter: 'refusal' },
}

const NOTHING_USED: WireMessage['usage'] = {
  ...{ input_tokens: 0, output_tokens: 0 },
  ...{ cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
}

/** Builds a message. Without an answer it is the empty one that a stream starts with, whose usage is not known yet. */
export function writeMessage(
  { id, model }: { id: string; model: string },
  answer: WireAnswer | null,
  thinking = '',
): WireMessage {
  return {
    ...{ id: `msg_${id}`, type: 'message', role: 'assistant', model },
    content: answer ? writeContent(answer, thinking) : [],
    stop_reason: answer && stopOf(answer),
    stop_sequence: null,
    usage: answer ? writeUsage(answer) : NOTHING_USED,
  }
}

export const stopOf = ({ finish_reason }: WireAnswer) => stops[finish_reason]

function writeContent({ text, tool_calls }: WireAnswer, thinking: string): WireMessage['content'] {
  return [
    ...(thinking ? [{ type: 'thinking' as const, thinking, signature: '' }] : []),
    ...(text ? [{ type: 'text' as const, text, citations: null }] : []),
    ...tool_calls.map(writeToolUse),
  ]
}

export function writeToolUse({ id, function: called }: WireAnswer['tool_calls'][number]) {
  return { type: 'tool_use' as const, id, name: called.name, input: readInput(called.arguments) }
}

/** The client needs an object, whatever a model wrote. */
function readInput(json: string): Record<string, unknown> {
  const input = tryJson(json)
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? { ...input } : {}
}

export function writeUsage({ usage: { input, output, cached } }: WireAnswer): WireMessage['usage'] {
  return {
    ...{ input_tokens: Math.max(0, input - cached), output_tokens: output },
    ...{ cache_creation_input_tokens: 0, cache_read_input_tokens: cached },
  }
}
