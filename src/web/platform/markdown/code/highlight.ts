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
/** What is asked before there is a worker. */
let waiting: HighlightRequest[] | null = null
let lastBlock = 0

/**
 * Opens a channel for one block, or gives null where there are no workers. Grammars are compiled and run in a
 * worker: the first lines of a language take up to 200 ms, and no language is too rare to be shown in colour.
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

/** Starts the worker with what most answers need. */
export function warmHighlighter(
  languages: readonly LanguageName[] = ['python', 'typescript', 'json', 'bash'],
): void {
  if (typeof Worker !== 'undefined') post({ kind: 'warm', languages })
}

/** The worker starts in an idle moment: on few cores it would take the time of the page that is being drawn. */
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
