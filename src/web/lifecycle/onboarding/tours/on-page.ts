/** So long a tour waits for a view, and a step for its target. */
export const WAIT_MS = 5000
/** How often it looks. */
const LOOK_MS = 50

/** The first visible element of a selector; narrow and wide windows may have one each. */
export function findOnPage(selector: string): HTMLElement | null {
  return [...document.querySelectorAll<HTMLElement>(selector)].find(isVisible) ?? null
}

/** Waits up to 5 s until something is on the page; null when it does not come, or `signal` ends the wait. */
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
