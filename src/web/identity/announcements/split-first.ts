/** Splits a text into its first sentence and the rest. */
export function splitFirst(text: string): [first: string, rest: string] {
  const end = text.search(/[.!?…]\s/)
  return end < 0 ? [text, ''] : [text.slice(0, end + 1), text.slice(end + 2)]
}
