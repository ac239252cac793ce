import { reloadOnce } from './reload-once.ts'

const RESTS_MS = [250, 750, 2_000]
/** Delay between two checks of a server that does not answer. */
const CHECK_MS = 2_000
/** Statuses of proxies whose server does not answer. */
const ABSENT = [502, 503, 504]

/** Messages of browsers for a lost module or one of its imports, and for a lost style sheet. */
const lost =
  /dynamically imported module|Importing a module script failed|Unable to preload CSS(?: for (\S+))?/

/**
 * Loads a module of the page, and retries if the network lost a file, because a missing module would break the page. Without a
 * connection or a server it waits until there is one. A file that the
 * server does not have any more reloads the page once; otherwise it rejects. Errors of its own code are
 * immediate. Every `import()` of the page goes through it: see `scripts/import-again.ts`.
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
      await sleep(rest)
    }
  }
  if (await isServerThere()) return load().catch(recover)
  do await sleep(CHECK_MS)
  while (!(await isServerThere()))
  return importAgain(load)
}

/** Reloads the page once, because a newer version of the server no longer has the file. @throws the error the second time */
function recover(error: unknown): Promise<never> {
  if (!lost.test(String(error)) || !reloadOnce()) throw error
  return new Promise(() => undefined)
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Returns whether the server answers, as it does not while it restarts. */
async function isServerThere(): Promise<boolean> {
  try {
    const { status } = await fetch('/', { method: 'HEAD', cache: 'no-store' })
    return !ABSENT.includes(status)
  } catch {
    return false
  }
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
