import type { Tuning } from '#shared/models/connections/tuning.ts'

/** OpenAI's reasoning models. They refuse a temperature. */
const REASONING = /(?:^|\/)(?:o\d|gpt-[5-9](?!.*chat)|codex)/i
/** Other models whose effort the chat completions API carries. */
const CHAT_EFFORT = /(?:^|\/)(?:gpt-oss|grok-(?:3-mini|4)|gemini-(?:2\.5|[3-9])|magistral)/i
const MESSAGES_EFFORT = /^claude-(?:opus-4-[5-9]|sonnet-4-[6-9]|[a-z]+-[5-9](?!\d))/i
const GOOGLE_EFFORT = /^gemini-(?:2\.5|[3-9])/i

/** Returns the settings of a model behind chat completions or the Responses API, by the name its provider gives it. */
export function tuningOverChat(name: string): Tuning[] {
  if (REASONING.test(name)) return ['effort']
  return withEffort(CHAT_EFFORT.test(name))
}

/** Returns the settings of a model behind the Messages API. */
export const tuningOverMessages = (name: string): Tuning[] => withEffort(MESSAGES_EFFORT.test(name))

/** Returns the settings of a model behind Google's generateContent. */
export const tuningOverGenerate = (name: string): Tuning[] => withEffort(GOOGLE_EFFORT.test(name))

const withEffort = (hasEffort: boolean): Tuning[] => (hasEffort ? ['effort', 'temperature'] : ['temperature'])
