import type { Adaptation } from '#shared/models/connections/adaptations.ts'

type Body = Record<string, unknown>

/** Parameters without which every server can still answer. */
const OPTIONAL = [
  ...['stream_options', 'temperature', 'top_p', 'reasoning_effort', 'reasoning', 'thinking'],
  ...['include', 'store', 'parallel_tool_calls', 'prompt_cache_key', 'service_tier', 'user'],
]
/** Words of sentences that name no reason. */
const VAGUE = new Set(
  'the a an is are was were be not or one more of your this some in and to with please check try again request requests parameter parameters param params argument arguments input inputs body payload value values field fields format invalid bad malformed incorrect wrong illegal improper valid error errors exception http api call provided given reason no failed validation'.split(
    ' ',
  ),
)
const FAULT = /invalid|bad|malformed|incorrect|wrong|illegal|improper|not valid|no reason/i
/** "Wrong parameters" in Chinese. */
const FAULT_IN_CHINESE = /\u53c2\u6570(?:\u6709\u8bef|\u9519\u8bef|\u65e0\u6548|\u4e0d\u5408\u6cd5)/
const DETAIL = /\b(?:code|type|status|param) \S{1,80}/g
const MAX_WORDS = 20

/** Returns whether a refusal names neither a parameter nor another reason, such as "The parameter is invalid". */
export function isVague(said: string): boolean {
  if (FAULT_IN_CHINESE.test(said)) return !/[a-z]_[a-z]/.test(said.replaceAll(DETAIL, ''))
  const words =
    said
      .replaceAll(DETAIL, '')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  return words.length <= MAX_WORDS && FAULT.test(said) && words.every((word) => VAGUE.has(word))
}

/** Returns the body without its optional parameters, and the facts to learn when that helps; null when it has none. */
export function withoutOptional(body: Body): { body: Body; facts: Adaptation[] } | null {
  const dropped = OPTIONAL.filter((name) => body[name] !== undefined)
  if (dropped.length === 0) return null
  const kept = Object.entries(body).filter(([name]) => !dropped.includes(name))
  return {
    body: Object.fromEntries(kept),
    facts: dropped.map((about) => ({ name: 'parameter', about })),
  }
}
