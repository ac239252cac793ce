const RESTS_MS = [250, 750, 2_000]

/** What browsers say when a file of the page, or one it imports, did not arrive; and what its styles say. */
const lost =
  /dynamically imported module|Importing a module script failed|Unable to preload CSS(?: for (\S+))?/

/**
 * Loads a part of the page, and again when the network lost a file of it: a part that is missing would stop the page
 * it belongs to. What fails while it runs fails at once, and so does what is asked for without a connection.
 * Every `import()` of the page goes through it: see `scripts/import-again.ts`.
 */
export async function importAgain<T>(load: () => Promise<T>): Promise<T> {
  for (const rest of RESTS_MS) {
    try {
      return await load()
    } catch (error) {
      const [isLost, style] = lost.exec(String(error)) ?? []
      if (!isLost || !navigator.onLine) throw error
      if (style) forgetStyle(style)
      await new Promise((resolve) => setTimeout(resolve, rest))
    }
  }
  return load()
}

/** A link that failed counts as one that is there. */
function forgetStyle(url: string): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    if (link.href === url) link.remove()
  }
}
