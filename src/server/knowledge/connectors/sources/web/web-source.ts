import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { AppError } from '#shared/platform/errors.ts'
import {
  defineConnector,
  ItemRefused,
  type ListedPage,
  type OpenedSource,
  type SourceContext,
  type SourceItem,
} from '../../define-connector.ts'
import { giveTurns } from '../../give-turns.ts'
import { keepSelected } from '../../selected.ts'
import { assertAnswered, type Element, elementsOf, parseElements, textOf } from '../../source-requests.ts'
import { readRobots } from './robots.ts'

const PAGE = 100
const MAX_ADDRESSES = 1_000
const MAX_SITEMAPS = 200
const MAX_PAGES = 100_000
const MAX_SITEMAP_BYTES = 50_000_000
const SECONDS = 30
const AGENT = 'Atrium'
const headers = { 'user-agent': 'Mozilla/5.0 (compatible; Atrium)' }

/** Web pages and the pages of sitemaps, as far as the robots.txt of their host allows. */
export default defineConnector({
  id: 'web',
  place: 12,
  fields: [{ name: 'addresses', type: 'lines', required: true }],
  mirrorsRights: false,
  personal: true,
  hasFolders: false,
  isOffered: () => true,
  hostOf: ({ addresses = '' }) => firstOf(addresses)?.host ?? null,
  open: async (context): Promise<OpenedSource> => {
    const site = siteOf(context)
    return {
      check: async () => void (await fetchFrom(site, site.addresses[0]?.href ?? '')),
      list: (selection, cursor) => listPages(site, selection, cursor),
      read: async ({ id }, signal) => {
        if (!(await isAllowed(site, new URL(id))))
          throw new ItemRefused('refused', 'The robots.txt forbids it.')
        const answer = await fetchFrom(site, id, signal)
        return Readable.from([Buffer.from(answer.bytes)], { objectMode: false })
      },
    }
  },
})

const linesOf = (addresses: string) =>
  addresses
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
const firstOf = (addresses: string) => URL.parse(linesOf(addresses)[0] ?? '')

type Site = {
  context: SourceContext
  addresses: URL[]
  robots: Map<string, Promise<(path: string) => boolean>>
  /** The selected pages in the order of their addresses, once they are collected. */
  places?: Place[]
}

function siteOf(context: SourceContext): Site {
  const addresses = linesOf(context.settings.addresses ?? '').map((line) => URL.parse(line))
  const valid = addresses.filter((url) => url !== null && /^https?:$/.test(url.protocol)) as URL[]
  if (valid.length === 0 || valid.length < addresses.length || valid.length > MAX_ADDRESSES)
    throw new AppError(
      'invalid',
      `Enter up to ${MAX_ADDRESSES} addresses that begin with http, one per line.`,
    )
  return { context, addresses: valid, robots: new Map() }
}

/** @throws ItemRefused, SourceBusy, AppError */
async function fetchFrom({ context }: Site, url: string, signal = context.signal) {
  const { outbound, config, maxBytes } = context
  const trusted = config.ATRIUM_WEB_PRIVATE
  const limits = { maxBytes: Math.max(maxBytes, MAX_SITEMAP_BYTES), seconds: SECONDS, trusted, signal }
  const answer = await outbound.fetch(url, { headers, ...limits })
  assertAnswered(new URL(url).host, answer)
  return answer
}

/** Without a robots.txt everything is allowed; one that cannot be read now fails the sync. */
async function isAllowed(site: Site, url: URL): Promise<boolean> {
  const known =
    site.robots.get(url.origin) ??
    fetchFrom(site, `${url.origin}/robots.txt`).then(
      (answer) => readRobots(answer.text().slice(0, 512_000), AGENT),
      (error) => {
        if (error instanceof ItemRefused) return () => true
        throw error
      },
    )
  site.robots.set(url.origin, known)
  try {
    return (await known)(url.pathname + url.search)
  } catch (error) {
    site.robots.delete(url.origin)
    throw error
  }
}

/** A page with its time of change, as a sitemap names it. */
type Place = { url: URL; changed: string }

/** Lists pages in the order of their addresses. The cursor is the last address of a page of the listing. */
async function* listPages(
  site: Site,
  selection: Parameters<OpenedSource['list']>[0],
  cursor: string | null,
): AsyncGenerator<ListedPage> {
  site.places ??= await keepSelected(selection, await collectPlaces(site), ({ url }) => pathOf(url))
  const places = site.places.filter(({ url }) => cursor === null || url.href > cursor)
  const turn = giveTurns()
  for (let at = 0; at < places.length; at += PAGE) {
    const items: SourceItem[] = []
    const part = places.slice(at, at + PAGE)
    for (const place of part) {
      if (await isAllowed(site, place.url)) items.push(await describe(site, place))
      await turn()
    }
    const isLast = at + PAGE >= places.length
    yield { items, cursor: isLast ? null : (part.at(-1)?.url.href ?? null) }
  }
  if (places.length === 0) yield { items: [], cursor: null }
}

/** Returns the pages of all addresses. An address that answers with a sitemap stands for its pages, on hosts that were entered. */
async function collectPlaces(site: Site): Promise<Place[]> {
  const hosts = new Set(site.addresses.map(({ host }) => host))
  const found = new Map<string, Place>()
  const maps = new Set(site.addresses.filter(isSitemap).map(({ href }) => href))
  for (const url of site.addresses) if (!isSitemap(url)) found.set(url.href, { url, changed: '' })
  // A set also visits the sitemaps that are added meanwhile.
  for (const map of maps) {
    const root = await readSitemap(site, map)
    for (const { url, changed } of placesOf(root, 'url')) {
      url.hash = ''
      if (hosts.has(url.host) && found.size < MAX_PAGES) found.set(url.href, { url, changed })
    }
    for (const { url } of placesOf(root, 'sitemap'))
      if (hosts.has(url.host) && maps.size < MAX_SITEMAPS) maps.add(url.href)
    if (found.size >= MAX_PAGES) break
  }
  return [...found.values()].sort((a, b) => (a.url.href < b.url.href ? -1 : 1))
}

/** A page of HTML in its place must not look empty: the pages of the sitemap would disappear. @throws AppError `unavailable` */
async function readSitemap(site: Site, address: string): Promise<Element> {
  const root = await parseElements((await fetchFrom(site, address)).text(), new URL(address).host)
  const name = root.children[0]?.name
  if (name !== 'urlset' && name !== 'sitemapindex')
    throw new AppError('unavailable', `The answer of ${address.slice(0, 200)} is no sitemap.`)
  return root
}

const isSitemap = ({ pathname }: URL) => /\.xml$/i.test(pathname)

function placesOf(root: Element, name: 'url' | 'sitemap'): Place[] {
  return elementsOf(root, name).flatMap((element) => {
    const url = URL.parse(textOf(element, 'loc'))
    return url && /^https?:$/.test(url.protocol) ? [{ url, changed: textOf(element, 'lastmod') }] : []
  })
}

const pathOf = ({ host, pathname }: URL) => `${host}${pathname}`.replace(/\/$/, '')

async function describe(site: Site, { url, changed }: Place): Promise<SourceItem> {
  const path = pathOf(url)
  const last = path.split('/').at(-1) ?? ''
  const name = /\.[a-z0-9]{1,5}$/i.test(last) && last !== url.host ? last : `${last || url.host}.html`
  const date = Date.parse(changed)
  return {
    ...{ id: url.href, path, name, url: url.href, size: null },
    version: changed || (await versionOf(site, url)),
    ...(!Number.isNaN(date) && { changed_at: new Date(date) }),
  }
}

/** Asks for the version of a page that no sitemap describes. Without one it is read with every sync; equal content is stored once. */
async function versionOf({ context }: Site, url: URL): Promise<string> {
  const { outbound, config, signal } = context
  const trusted = config.ATRIUM_WEB_PRIVATE
  const answer = await outbound.fetch(url.href, {
    method: 'HEAD',
    headers,
    trusted,
    signal,
    seconds: SECONDS,
  })
  if (answer.status === 429 || answer.status >= 500) assertAnswered(url.host, answer)
  const given = answer.headers.get('etag') ?? answer.headers.get('last-modified')
  return given ? createHash('sha256').update(given).digest('base64url') : new Date().toISOString()
}
