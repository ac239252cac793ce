import { useSyncExternalStore } from 'react'
import type { HighlightEngine } from './highlight-engine.ts'
import { languageOf } from './languages.ts'

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

let engine: HighlightEngine | null = null
let starting: Promise<HighlightEngine> | null = null
const loading = new Map<string, Promise<void>>()
const listeners = new Set<() => void>()

/**
 * The engine once it knows the language a fence names; null before, and for names it will never know.
 * Asking starts the loading.
 */
export function useHighlighter(name: string | null): HighlightEngine | null {
  const language = languageOf(name)
  return useSyncExternalStore(subscribe, () => {
    if (!language) return null
    if (engine?.knows(language)) return engine
    void load(language)
    return null
  })
}

/** Loads what most answers need, one language per idle moment, so that no first block has to wait for it. */
export function warmHighlighter(
  languages: readonly string[] = ['python', 'typescript', 'json', 'bash', 'sql'],
): void {
  const [next, ...rest] = languages
  if (!next) return
  whenIdle(() => {
    load(next).then(
      () =>
        whenIdle(() => {
          engine?.warm(next)
          warmHighlighter(rest)
        }),
      () => undefined,
    )
  })
}

function load(language: string): Promise<void> {
  const known = loading.get(language)
  if (known) return known
  const started = loadLanguage(language)
  loading.set(language, started)
  // A chunk that did not arrive may arrive the next time.
  started.catch(() => loading.delete(language))
  return started
}

async function loadLanguage(language: string): Promise<void> {
  starting ??= import('./highlight-engine.ts').then((module) => module.createEngine())
  const started = await starting
  await started.learn(language)
  engine = started
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function whenIdle(run: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: 10_000 })
  else setTimeout(run, 200)
}
