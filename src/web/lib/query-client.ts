import { focusManager, QueryClient } from '@tanstack/react-query'
import { isApiError } from './api-error.ts'

const FOCUS_DEBOUNCE_MS = 500

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
