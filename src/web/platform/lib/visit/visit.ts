import { useSyncExternalStore } from 'react'

const KEY = 'visit'

/** State of an embedded page in its tab: its embed token, its visitor token, and their chat. */
export type KeptVisit = { token: string; visit: string | null; sessionId: string | null }

// Lives as long as the page if the browser denies storage to frames of other sites.
let kept: KeptVisit | null = null
const listeners = new Set<() => void>()

/** Returns the state of this tab, or null. */
export function readVisit(): KeptVisit | null {
  if (kept) return kept
  try {
    kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as KeptVisit | null
  } catch {
    return null
  }
  return kept
}

/** Stores the page's embed token; a visit with the same token continues. */
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

/** Returns the state reactively. */
export function useKeptVisit(): KeptVisit | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => readVisit(),
  )
}
