import type { MaskKind } from '#shared/models/masking/masking.ts'

/** A personal detail in a text: `text.slice(at, end)`. */
export type Detail = { kind: MaskKind; at: number; end: number }

/** Returns the text before a place, at most `length` characters. */
export const before = (text: string, at: number, length: number): string =>
  text.slice(Math.max(0, at - length), at)

/** Returns the details that `read` accepts among the matches. `read` returns the end of a detail, or null. */
export function collect(
  text: string,
  expression: RegExp,
  kind: MaskKind,
  read: (found: string, at: number) => number | null,
): Detail[] {
  const details: Detail[] = []
  for (const match of text.matchAll(expression)) {
    const length = read(match[0], match.index)
    if (length !== null) details.push({ kind, at: match.index, end: match.index + length })
  }
  return details
}
