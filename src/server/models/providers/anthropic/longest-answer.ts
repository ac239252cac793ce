/** The longest answers of Anthropic's models in tokens, where its list does not name them; the first that fits counts. */
const families: readonly [RegExp, number][] = [
  [/claude-(?:2|instant|3-(?:opus|sonnet|haiku))/, 4_096],
  [/claude-3-5/, 8_192],
  [/claude-opus-4(?:-[01])?(?:-\d{8}|@|$)/, 32_000],
  [/claude-opus-4-5/, 64_000],
  [/claude-opus-[4-9]/, 128_000],
  [/claude/, 64_000],
]
/** Output limit that every model of the dialect supports. */
const ANY = 8_192
/** Share of the window reserved for the answer. */
const ANSWER_SHARE = 0.25

type Known = { context_tokens: number | null; max_output_tokens: number | null }

/** Returns the output limit of a model: from its list, else of its family, within its window. */
export function longestAnswer(model: string, { context_tokens, max_output_tokens }: Known): number {
  const own = max_output_tokens ?? families.find(([family]) => family.test(model))?.[1] ?? ANY
  return context_tokens === null ? own : Math.min(own, Math.floor(context_tokens * ANSWER_SHARE))
}
