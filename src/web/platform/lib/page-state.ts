import { useEffect, useState, useSyncExternalStore } from 'react'

/** Maximum wait of deferred work for an idle moment. */
const MAX_WAIT_MS = 3000

/** Returns whether the browser has a network; true says nothing about the server. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribeOnline, () => navigator.onLine)
}

/** Returns whether a media query matches, reactively. */
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

/** Width below which the sidebar is a sheet. */
export const PHONE = '(max-width: 767px)'
/** Windows in which the corner of a chat is free: neither the column nor its messages reach it. */
export const ROOMY = '(min-width: 1440px)'

export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** Runs a function once the browser is idle. Returns a function that cancels it. */
export function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(run, 300)
    return () => clearTimeout(timer)
  }
  const id = requestIdleCallback(run, { timeout: MAX_WAIT_MS })
  return () => cancelIdleCallback(id)
}

/** Returns false until the visible content has loaded and the browser is idle. */
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
