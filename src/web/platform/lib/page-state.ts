import { useEffect, useState, useSyncExternalStore } from 'react'

/** So long at most what comes later waits for an idle moment. */
const LONGEST_MS = 3000

/** Whether the browser has a network; true says nothing about the server. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribeOnline, () => navigator.onLine)
}

/** Whether a media query holds, kept up to date. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}

/** The width below which the sidebar is a sheet. */
export const PHONE = '(max-width: 767px)'

export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** Runs something once there is nothing more urgent to do. The function it gives takes that back. */
export function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(run, 300)
    return () => clearTimeout(timer)
  }
  const id = requestIdleCallback(run, { timeout: LONGEST_MS })
  return () => cancelIdleCallback(id)
}

/** False until what is on screen has come and there is nothing more urgent to do. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => whenIdle(() => setIdle(true)), [])
  return isIdle
}

function subscribeOnline(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
