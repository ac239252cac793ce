/** Returns the number of backticks. A mark after an odd number of them is an example in code. */
export const countTicks = (text: string): number => text.split('`').length - 1

/** Replaces code between backticks with blanks. `ticks` counts the backticks before the text. */
export function blankCode(text: string, ticks: number): string {
  if (ticks % 2 === 0 && !text.includes('`')) return text
  return text
    .split('`')
    .map((piece, index) => ((ticks + index) % 2 === 0 ? piece : ' '.repeat(piece.length)))
    .join('`')
}

/** Fences that are marks of calls themselves. */
const CALL_FENCE = /^\s*```tool_c/

/** Returns a text without the code fence around all of it; null when something follows the fence that begins it. */
export function withoutOuterFence(text: string): string | null {
  const bare = text.trim()
  if (!bare.startsWith('```') || CALL_FENCE.test(bare)) return text
  const inner = bare.replace(/^```\w*\s*/, '')
  if (inner.endsWith('```')) return inner.slice(0, -3).trimEnd()
  return inner.includes('```') ? null : inner
}
