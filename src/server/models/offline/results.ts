import type { ToolResultPart } from '../port.ts'

/** `{"exact": …}` or `{"result": …}` give the value, everything else its text. */
export function readResult({ output }: ToolResultPart): string {
  try {
    const { exact, result, error } = JSON.parse(output) as {
      exact?: unknown
      result?: unknown
      error?: unknown
    }
    return String(exact ?? result ?? error ?? output)
  } catch {
    // Failures are handed on with this word, which the sentence around them says already.
    return output.replace(/^Error: /, '')
  }
}
