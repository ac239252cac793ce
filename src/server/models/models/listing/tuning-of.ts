import type { ConnectionKind } from '#shared/models/connections/connections.ts'
import type { Tuning } from '#shared/models/connections/tuning.ts'

/** Models of OpenAI that think. They take no temperature. */
const THINKS = /(?:^|\/)(?:o\d|gpt-[5-9](?!.*chat)|codex)/i
/** Other models whose effort the chat dialect carries. */
const CHAT_EFFORT = /(?:^|\/)(?:gpt-oss|grok-(?:3-mini|4)|gemini-(?:2\.5|[3-9])|magistral)/i
const MESSAGES_EFFORT = /^claude-(?:opus-4-[5-9]|sonnet-4-[6-9]|[a-z]+-[5-9](?!\d))/i
const GOOGLE_EFFORT = /^gemini-(?:2\.5|[3-9])/i

/** Settings of a model, by the name the provider gives it. A model that is not known takes a temperature. */
export function tuningOf(kind: ConnectionKind, name: string): Tuning[] {
  const isOpenAi = ['openai', 'azure', 'compatible'].includes(kind)
  if (isOpenAi && THINKS.test(name)) return ['effort']
  const hasEffort =
    (isOpenAi && CHAT_EFFORT.test(name)) ||
    (kind === 'anthropic' && MESSAGES_EFFORT.test(name)) ||
    (kind === 'google' && GOOGLE_EFFORT.test(name))
  return hasEffort ? ['effort', 'temperature'] : ['temperature']
}
