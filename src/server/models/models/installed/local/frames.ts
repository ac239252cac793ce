import type { ModelCall, ModelErrorKind, ModelPart } from '../../port.ts'

/** What a process that runs a model is asked, as one line of JSON on a socket of its own. */
export type ToEngine =
  /** `said` is the beginning of the answer, given before an earlier process ended. */
  | { kind: 'answer'; call: ModelCall; said: string }
  /** Generates for this long, to measure the speed. */
  | { kind: 'try'; milliseconds: number }

/** What it answers, line by line. */
export type FromEngine =
  | { kind: 'part'; part: ModelPart }
  /** The number of answers before this one; 0 once it is being written. */
  | { kind: 'place'; place: number }
  | { kind: 'tried'; context_tokens: number; tokens_per_second: number; name: string | null }
  | { kind: 'failed'; error: ModelErrorKind; reason: string }
  | { kind: 'done' }

/** Splits a stream of bytes into lines. Returns what reads a chunk. */
export function readLines(onLine: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new TextDecoder()
  let rest = ''
  return (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  }
}
