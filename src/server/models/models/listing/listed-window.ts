type Item = Record<string, unknown>

/** Places of the context window in lists of models, the most reliable first. */
const PLACES = [
  // LM Studio loads a model with a smaller window than it has.
  ['loaded_context_length'],
  ['max_input_tokens'],
  ['inputTokenLimit'],
  ['context_length'],
  ['max_model_len'],
  ['max_context_length'],
  ['context_window'],
  ['context_size'],
  ['max_seq_len'],
  ['meta', 'n_ctx'],
  ['metadata', 'context_length'],
  ['limits', 'max_input_tokens'],
  ['capabilities', 'limits', 'max_context_window_tokens'],
]

/** Returns the context window in tokens that an item of a list names, or null. */
export function listedWindow(item: Item): number | null {
  for (const place of PLACES) {
    const tokens = numberOf(place.reduce<unknown>((value, name) => (Object(value) as Item)[name], item))
    if (tokens !== null) return tokens
  }
  return null
}

/** Returns a whole positive number, which a few servers write as a text; null for anything else. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && number >= 1 && Number.isFinite(number) ? Math.floor(number) : null
}
