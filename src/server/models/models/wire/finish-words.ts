import { type FinishReason, ModelError } from '../port.ts'
import { sentenceFor } from './failures.ts'

/** Words for the end of an answer, in lower case. Proxies keep those of the provider behind them. */
const WORDS: [FinishReason | 'interrupted' | 'malformed', RegExp][] = [
  [
    'malformed',
    /malformed|unexpected_tool_call|too_many_tool_calls|missing_thought_signature|tool_use_failed/,
  ],
  ['stop', /^(?:stop|stop_sequence|eos|eos_token|end_turn|pause_turn|complete|completed|normal|done)$/],
  ['tool-calls', /^(?:tool_calls?|tool_use|function_calls?)$/],
  ['length', /length|max_.{0,12}tokens|token_limit|context_window_exceeded/],
  [
    'content-filter',
    /filter|safety|recitation|block|prohibited|spii|guardrail|refusal|sensitive|moderation|armor|jailbreak|language|toxic|policy/,
  ],
  ['interrupted', /error|abort|cancel|insufficient|timeout|unavailable/],
]

/**
 * Returns the reason that a provider's word means. The word may be an object with the reason in `type`.
 * @throws ModelError when the answer broke off, or its tool call was malformed
 */
export function readFinish(given: unknown): FinishReason {
  const word = typeof given === 'object' && given !== null && 'type' in given ? given.type : given
  const said = String(word).toLowerCase()
  const reason = WORDS.find(([, words]) => words.test(said))?.[0] ?? 'other'
  if (reason === 'interrupted') throw new ModelError('interrupted', sentenceFor('interrupted'))
  if (reason === 'malformed')
    throw new ModelError('invalid_answer', sentenceFor('invalid_answer', 'the tool call was malformed'))
  return reason
}
