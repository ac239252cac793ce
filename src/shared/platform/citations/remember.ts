/** Maximum results kept per function: enough for the passages of an answer and the current sentence. */
const MAX_TEXTS = 16

/** Memoizes a function of a text, so that a source is read once for all sentences of an answer. */
export function remember<Result>(read: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, { result: Result }>()
  return (text) => {
    const known = results.get(text) ?? { result: read(text) }
    // The latest used is last.
    results.delete(text)
    results.set(text, known)
    if (results.size > MAX_TEXTS) results.delete(results.keys().next().value ?? '')
    return known.result
  }
}
