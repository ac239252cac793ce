import { subscribeToken } from '../../platform/lib/me/token.ts'

/** A hidden tab releases its stream after this time, because a browser opens six connections to a host. */
export const HIDDEN_MS = 30_000

/** Calls `onLeft` once the tab has been hidden for 30 s. Returns a function that stops watching. */
export function hiddenTooLong(onLeft: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const watch = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') timer = setTimeout(onLeft, HIDDEN_MS)
  }
  document.addEventListener('visibilitychange', watch)
  watch()
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', watch)
  }
}

/**
 * Resolves after `ms`, but never in a hidden tab. Resolves sooner when the network is back, the tab becomes visible or
 * someone signs in, because a retry is then worthwhile. Resolves immediately when `left` aborts.
 */
export function wakeUp(ms: number, left: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let isDue = false
    const timer = setTimeout(() => {
      isDue = true
      check()
    }, ms)
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      document.removeEventListener('visibilitychange', check)
      left.removeEventListener('abort', done)
      stopToken()
      resolve()
    }
    const check = () => {
      if (isDue && document.visibilityState !== 'hidden') done()
    }
    const stopToken = subscribeToken(done)
    window.addEventListener('online', done)
    document.addEventListener('visibilitychange', check)
    left.addEventListener('abort', done)
    if (left.aborted) done()
  })
}
