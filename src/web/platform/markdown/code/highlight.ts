import { whenIdle } from '../../lib/page-state.ts'
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

/** A request to the worker: further lines of a block (`reset`: the first ones), and the unfinished line. */
export type HighlightRequest =
  | { kind: 'lines'; block: number; language: LanguageName; reset: boolean; lines: string[]; rest: string }
  | { kind: 'close'; block: number }
  | { kind: 'warm'; languages: readonly LanguageName[] }
export type HighlightAnswer = { block: number; lines: CodeLine[]; rest: CodeLine }

type Ask = Omit<Extract<HighlightRequest, { kind: 'lines' }>, 'kind' | 'block'>
/** The channel of one block to the worker. */
export type HighlightChannel = { ask(request: Ask): void; close(): void }

const listeners = new Map<number, (answer: HighlightAnswer) => void>()
let worker: Worker | null = null
/** Requests made before there is a worker. */
let waiting: HighlightRequest[] | null = null
let lastBlock = 0

/**
 * Opens a channel for one block; null without workers. Grammars are compiled and run in a worker, because the first lines
 * of a language need as much as 200 ms.
 */
export function openHighlighter(onAnswer: (answer: HighlightAnswer) => void): HighlightChannel | null {
  if (typeof Worker === 'undefined') return null
  const block = ++lastBlock
  listeners.set(block, onAnswer)
  return {
    ask: (request) => post({ kind: 'lines', block, ...request }),
    close() {
      listeners.delete(block)
      post({ kind: 'close', block })
    },
  }
}

/** Starts the worker with the most common languages. */
export function warmHighlighter(
  languages: readonly LanguageName[] = ['python', 'typescript', 'json', 'bash'],
): void {
  if (typeof Worker !== 'undefined') post({ kind: 'warm', languages })
}

/** The worker starts when the page is idle, because it competes with rendering on few cores. */
function post(request: HighlightRequest): void {
  if (worker) worker.postMessage(request)
  else if (waiting) waiting.push(request)
  else {
    waiting = [request]
    whenIdle(startWorker)
  }
}

function startWorker(): void {
  const started = new Worker(new URL('./highlight-worker.ts', import.meta.url), {
    type: 'module',
    name: 'highlight',
  })
  started.onmessage = ({ data }: MessageEvent<HighlightAnswer>) => listeners.get(data.block)?.(data)
  for (const request of waiting ?? []) started.postMessage(request)
  worker = started
  waiting = null
}
