import { focusManager, QueryClient, type QueryKey } from '@tanstack/react-query'
import { isApiError } from './api-error.ts'

const FOCUS_DEBOUNCE_MS = 500
/** Polling interval while changes are pushed, in milliseconds. */
const SAFETY_MS = 60_000

/** Whether changes are pushed to this tab; polling is then only a safety net. */
let isTold = false

/** The cache of all server data. A failed read is retried twice, a refused one never. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 1000,
      retry: (failures, error) => failures < 2 && mayRecover(error),
      retryDelay: (failures) => Math.min(1000 * 2 ** failures, 8000),
    },
    mutations: { retry: false },
  },
})

/**
 * Refetches visible data when the window regains the focus, at most once in 500 ms, because a window manager may send
 * several focus events in a row.
 */
export function refetchOnFocus(): void {
  focusManager.setEventListener((handleFocus) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const onFocus = () => {
      clearTimeout(timer)
      timer = setTimeout(() => handleFocus(), FOCUS_DEBOUNCE_MS)
    }
    window.addEventListener('focus', onFocus)
    window.addEventListener('visibilitychange', onFocus)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('focus', onFocus)
      window.removeEventListener('visibilitychange', onFocus)
    }
  })
}

function mayRecover(error: unknown): boolean {
  if (!isApiError(error)) return false
  return error.status === 0 || error.status >= 500 || error.status === 429
}

export function setLive(isLive: boolean): void {
  isTold = isLive
}

/** Returns whether changes are pushed to this tab. */
export function isLive(): boolean {
  return isTold
}

/** Returns the polling interval of a query that is polled every `ms` without push. */
export function pollEvery(ms: number): number {
  return isTold ? Math.max(ms, SAFETY_MS) : ms
}

/** Restarts reads under way. They may have been answered before a change that the server has reported since. */
export function restartReads(queryKey: QueryKey): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }))
    query
      .cancel({ revert: true })
      .then(() => query.fetch())
      // The view reports the error, and the next poll retries.
      .catch(() => undefined)
}

/** Refetches data that the server reported as changed, also where a first read is under way. */
export function refetchChanged(queryKey: QueryKey): void {
  restartReads(queryKey)
  void queryClient.invalidateQueries({ queryKey })
}
