import type { WebHit } from '#shared/knowledge/web-search/web-port.ts'
import type { UnreadReason } from '#shared/knowledge/web-search/web-search.ts'
import type { Platform } from '../../platform/platform.ts'
import { readPage } from './read-page.ts'
import { findPages, keepPage, type Page } from './store.ts'
import { reasonOf } from './unread.ts'

type Deps = Pick<Platform, 'config' | 'outbound' | 'parsing' | 'db' | 'clock' | 'log'>

const HOUR_MS = 3_600_000
/** A shorter text is no article: the page requires scripts or refuses access. */
const TEXT_LEAST = 200

/** Pages by URL, in the order of the hits, and the reasons why others were not read. */
export type ReadPages = { pages: Map<string, Page>; unread: Map<string, UnreadReason> }

/**
 * Reads the best pages concurrently, recent ones from the cache. Pages that fail or time out are listed with a reason. `told` receives the
 * progress.
 */
export async function readPages(
  deps: Deps,
  hits: readonly WebHit[],
  signal: AbortSignal,
  told: (progress: { read: number; of: number }) => void,
): Promise<ReadPages> {
  const { config, db, clock, log } = deps
  const urls = hits.slice(0, config.ATRIUM_LIMIT_WEB_PAGES).map(({ url }) => url)
  const keptMs = config.ATRIUM_WEB_CACHE_HOURS * HOUR_MS
  const since = new Date(clock.now().getTime() - keptMs)
  const pages = keptMs > 0 ? await findPages(db, urls, since) : new Map<string, Page>()
  const late = AbortSignal.timeout(config.ATRIUM_LIMIT_WEB_SECONDS * 1000)
  const unread = new Map<string, UnreadReason>(
    hits.slice(urls.length).map(({ url }) => [url, 'not_tried'] as const),
  )
  let done = pages.size
  told({ read: done, of: urls.length })
  const readOne = async (url: string) => {
    try {
      const page = await readPage(deps, url, AbortSignal.any([signal, late]))
      if (page.text.trim().length < TEXT_LEAST) return void unread.set(url, 'no_text')
      pages.set(url, page)
      if (keptMs > 0) await keepPage(db, page, clock.now())
    } catch (error) {
      unread.set(url, reasonOf(error, late.aborted))
      log.info({ err: error, host: new URL(url).host }, 'a web page was not read')
    } finally {
      done += 1
      if (!signal.aborted) told({ read: done, of: urls.length })
    }
  }
  await Promise.all(urls.filter((url) => !pages.has(url)).map(readOne))
  signal.throwIfAborted()
  const inOrder = urls.flatMap((url) => (pages.has(url) ? [[url, pages.get(url) as Page] as const] : []))
  return { pages: new Map(inOrder), unread }
}
