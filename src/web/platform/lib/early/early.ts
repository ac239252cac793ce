import type { Brand } from '#shared/identity/branding/branding.ts'

/**
 * Requests made by the page before any code is loaded (index.html), by address; `token` is the caller's. `threads`: workers
 * for opening a PDF, once the document is known to be one.
 */
type Early = {
  token: string | null
  answers: Record<string, Promise<Response | null>>
  threads?: Worker[]
  /** The brand that the page wears. */
  brand?: Brand | null
  /** Ends when the brand is known; absent if it was from the start. Texts wait for it. */
  named?: Promise<void>
  /** Shows a brand, or the product's own look. */
  wear: (brand: Brand | null) => void
  /** Shows a brand and stores it for the next visit: of the person with this end of the token, or, with null, of everyone. */
  keep: (brand: Brand | null, of: string | null) => void
  /** Returns texts in which the product has the name of the brand. */
  rename: <T>(texts: T, namespace: string) => T
}

declare global {
  interface Window {
    early?: Early
  }
}

/** Maximum age of an early answer. */
const FRESH_MS = 20_000

/**
 * Returns the answer of an early request once; null if there is none, or it was made for another token. `range` is the
 * requested range of a file.
 */
export async function takeEarly(url: string, token: string | null, range?: string): Promise<Response | null> {
  const { early } = window
  const place = range ? `${url}#${range}` : url
  const answer = early?.answers[place]
  if (!early || !answer) return null
  delete early.answers[place]
  const isOurs = token === null || token === early.token
  const response = isOurs && performance.now() < FRESH_MS ? await answer : null
  // A refused early request may succeed now.
  return response?.ok ? response : null
}

/** Returns the threads already started for a PDF, once; none if they were not started, or one failed. */
export function takeEarlyThreads(): Worker[] {
  const threads = window.early?.threads ?? []
  delete window.early?.threads
  return threads
}
