const RESTS_MS = [250, 750, 2_000]

/** Messages of browsers for a lost module or one of its imports, and for a lost style sheet. */
const lost =
  /dynamically imported module|Importing a module script failed|Unable to preload CSS(?: for (\S+))?/

/**
 * Loads a module of the page, and retries if the network lost a file, because a missing module would break the page. Without a
 * connection it waits until there is one. Errors of its own code are immediate. Every `import()` of the page goes through it: see
 * `scripts/import-again.ts`.
 */
export async function importAgain<T>(load: () => Promise<T>): Promise<T> {
  for (const rest of RESTS_MS) {
    try {
      return await load()
    } catch (error) {
      const [isLost, style] = lost.exec(String(error)) ?? []
      if (!isLost) throw error
      if (style) forgetStyle(style)
      if (!navigator.onLine) return afterReturn(load)
      await new Promise((resolve) => setTimeout(resolve, rest))
    }
  }
  return load()
}

/** Loads a module once the connection is back. */
async function afterReturn<T>(load: () => Promise<T>): Promise<T> {
  await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
  return importAgain(load)
}

/** A failed link would count as loaded. */
function forgetStyle(url: string): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    if (link.href === url) link.remove()
  }
}
