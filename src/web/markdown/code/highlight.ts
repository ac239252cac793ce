import type { LanguageName } from './languages.ts'

/** A piece of one line; `kind` is null for plain text. */
export type CodeToken = { kind: TokenKind | null; text: string }
export type TokenKind =
  | 'keyword'
  | 'string'
  | 'comment'
  | 'function'
  | 'constant'
  | 'parameter'
  | 'punctuation'
export type CodeLine = readonly CodeToken[]

/** To the worker: further lines of a block (`reset`: the first ones), and the line that is still being written. */
export type HighlightRequest =
  | { kind: 'lines'; block: number; language: LanguageName; reset: boolean; lines: string[]; rest: string }
  | { kind: 'close'; block: number }
  | { kind: 'warm'; languages: readonly LanguageName[] }
export type HighlightAnswer = { block: number; lines: CodeLine[]; rest: CodeLine }

type Ask = Omit<Extract<HighlightRequest, { kind: 'lines' }>, 'kind' | 'block'>
/** One block's way to the worker. */
export type HighlightChannel = { ask(request: Ask): void; close(): void }

const listeners = new Map<number, (answer: HighlightAnswer) => void>()
let worker: Worker | null = null
let lastBlock = 0

/**
 * Opens a channel for one block, or gives null where there are no workers. Grammars are compiled and run in a
 * worker: the first lines of a language take up to 200 ms, and no language is too rare to be shown in colour.
 */
export function openHighlighter(onAnswer: (answer: HighlightAnswer) => void): HighlightChannel | null {
  const started = startWorker()
  if (!started) return null
  const block = ++lastBlock
  listeners.set(block, onAnswer)
  return {
    ask: (request) => started.postMessage({ kind: 'lines', block, ...request } satisfies HighlightRequest),
    close() {
      listeners.delete(block)
      started.postMessage({ kind: 'close', block } satisfies HighlightRequest)
    },
  }
}

/** Starts the worker in an idle moment with what most answers need. */
export function warmHighlighter(
  languages: readonly LanguageName[] = ['python', 'typescript', 'json', 'bash'],
): void {
  const start = () => startWorker()?.postMessage({ kind: 'warm', languages } satisfies HighlightRequest)
  if (typeof requestIdleCallback === 'function') requestIdleCallback(start, { timeout: 10_000 })
  else setTimeout(start, 500)
}

function startWorker(): Worker | null {
  if (worker || typeof Worker === 'undefined') return worker
  worker = new Worker(new URL('./highlight-worker.ts', import.meta.url), {
    type: 'module',
    name: 'highlight',
  })
  worker.onmessage = ({ data }: MessageEvent<HighlightAnswer>) => listeners.get(data.block)?.(data)
  return worker
}
