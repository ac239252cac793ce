import type { Usage } from '../../models/port.ts'
import { numberIn } from '../../models/wire/number-in.ts'

export type WireUsage = Record<string, unknown>

/** Counts by the words of the servers that report them. */
const NAMES = {
  input: [['prompt_tokens'], ['input_tokens']],
  output: [['completion_tokens'], ['output_tokens']],
  cached: [
    ['prompt_tokens_details', 'cached_tokens'],
    ['input_tokens_details', 'cached_tokens'],
    ['prompt_cache_hit_tokens'],
    ['cached_tokens'],
  ],
  written: [['prompt_tokens_details', 'cache_write_tokens']],
  reasoning: [['completion_tokens_details', 'reasoning_tokens'], ['reasoning_tokens']],
}

/** Returns the usage that a chunk reports; null when it reports none. */
export function readUsage(usage: WireUsage | null | undefined): Usage | null {
  if (!usage) return null
  const count = (of: keyof typeof NAMES) =>
    NAMES[of].map((path) => numberIn(usage, ...path)).find((tokens) => tokens !== null) ?? null
  const input = count('input')
  const output = count('output')
  if (input === null && output === null) return null
  const written = count('written')
  const cost = readCost(usage)
  return {
    input_tokens: input ?? 0,
    output_tokens: output ?? 0,
    cached_tokens: count('cached') ?? 0,
    ...(written && { cache_write_tokens: written }),
    ...(cost !== undefined && { cost }),
    reasoning_tokens: count('reasoning') ?? 0,
    estimated: false,
  }
}

/** OpenRouter reports dollars. With a key of one's own it is the fee, and `cost_details` has the provider's charge. */
function readCost({ cost, is_byok, cost_details }: WireUsage): number | undefined {
  if (typeof cost !== 'number' || !(cost >= 0)) return undefined
  const upstream = is_byok ? (cost_details as WireUsage | null)?.upstream_inference_cost : 0
  return cost + (typeof upstream === 'number' ? upstream : 0)
}
