import { useSyncExternalStore } from 'react'

const KEY = 'visit'

/** What an embedded page keeps for its tab: the token it was opened with, what its visitor calls with, and their chat. */
export type KeptVisit = { token: string; visit: string | null; sessionId: string | null }

// Where a browser keeps nothing for frames of other sites, it lasts as long as the page.
let kept: KeptVisit | null = null
const listeners = new Set<() => void>()

/** What is kept for this tab, or null. */
export function readVisit(): KeptVisit | null {
  if (kept) return kept
  try {
    kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as KeptVisit | null
  } catch {
    return null
  }
  return kept
}

/** Keeps a token the page was opened with; the visit that was begun with the same one goes on. */
export function keepEmbedToken(token: string): void {
  if (readVisit()?.token !== token) keepVisit({ token, visit: null, sessionId: null })
}

export function keepVisit(visit: KeptVisit): void {
  kept = visit
  try {
    sessionStorage.setItem(KEY, JSON.stringify(visit))
  } catch {
    // See above.
  }
  for (const listener of listeners) listener()
}

/** What is kept, kept up to date. */
export function useKeptVisit(): KeptVisit | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => readVisit(),
  )
}
