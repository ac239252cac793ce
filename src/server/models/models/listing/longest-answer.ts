/** The longest answers of Anthropic's models in tokens, where its list does not name them; the first that fits counts. */
const families: readonly [RegExp, number][] = [
  [/claude-(?:2|instant|3-(?:opus|sonnet|haiku))/, 4_096],
  [/claude-3-5/, 8_192],
  [/claude-opus-4(?:-[01])?(?:-\d{8}|@|$)/, 32_000],
  [/claude-opus-4-5/, 64_000],
  [/claude-opus-[4-9]/, 128_000],
  [/claude/, 64_000],
]
/** What every model of the dialect gives. */
const ANY = 8_192
/** The share of a window that is left to the answer: the request may take the rest. */
const ANSWER_SHARE = 0.25

type Known = { context_tokens: number | null; max_output_tokens: number | null }

/** The longest answer to ask a model for: what its list says, else what its family gives, as far as its window has room. */
export function longestAnswer(model: string, { context_tokens, max_output_tokens }: Known): number {
  const own = max_output_tokens ?? families.find(([family]) => family.test(model))?.[1] ?? ANY
  return context_tokens === null ? own : Math.min(own, Math.floor(context_tokens * ANSWER_SHARE))
}
