import type { ModelCall, ModelErrorKind, ModelPart } from '../../port.ts'

/** A request to the process of a model: one line of JSON, on its own connection. */
export type ToEngine =
  /** `said` is the text that was streamed before an earlier process ended. */
  | { kind: 'answer'; call: ModelCall; said: string }
  /** Measures the speed by generating for this long. */
  | { kind: 'try'; milliseconds: number }

/** A frame of the response: one line of JSON. */
export type FromEngine =
  | { kind: 'part'; part: ModelPart }
  /** Number of requests ahead; 0 when this one starts. */
  | { kind: 'place'; place: number }
  | { kind: 'tried'; context_tokens: number; tokens_per_second: number; name: string | null }
  | { kind: 'failed'; error: ModelErrorKind; reason: string }
  | { kind: 'done' }

/** Returns a function that takes chunks of bytes and calls `onLine` for each complete line. */
export function readLines(onLine: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new TextDecoder()
  let rest = ''
  return (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  }
}
