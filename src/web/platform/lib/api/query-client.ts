import { focusManager, QueryClient } from '@tanstack/react-query'
import { isApiError } from './api-error.ts'

const FOCUS_DEBOUNCE_MS = 500
/** How often is looked all the same while changes are told, in milliseconds. */
const SAFETY_MS = 60_000

/** Whether what changes is told to this tab as it happens; then polling is a safety net only. */
let isTold = false

/** The cache of everything the server said. A failed read is tried again twice, a refusal never. */
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
 * Refetches what is on screen when the window gets the focus back, at most once in 500 ms:
 * a window manager may send focus several times in a row.
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

/** How long until something is read again that is polled every `ms` while nobody tells of changes. */
export function pollEvery(ms: number): number {
  return isTold ? Math.max(ms, SAFETY_MS) : ms
}
