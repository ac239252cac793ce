/** Maximum wait for a view or a step's target. */
export const WAIT_MS = 5000
/** Poll interval. */
const LOOK_MS = 50

/** Returns the first visible match of a selector. Narrow and wide layouts may each have one. */
export function findOnPage(selector: string): HTMLElement | null {
  return [...document.querySelectorAll<HTMLElement>(selector)].find(isVisible) ?? null
}

/** Waits up to 5 s for an element. Returns null on timeout or when `signal` aborts. */
export async function whenOnPage(selector: string, signal?: AbortSignal): Promise<HTMLElement | null> {
  for (const end = performance.now() + WAIT_MS; !signal?.aborted; await pause(LOOK_MS)) {
    const found = findOnPage(selector)
    if (found || performance.now() >= end) return found
  }
  return null
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

const isVisible = (element: HTMLElement) =>
  typeof element.checkVisibility === 'function' ? element.checkVisibility() : element.isConnected
