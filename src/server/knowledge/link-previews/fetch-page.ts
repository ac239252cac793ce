import {
  canPreview,
  cleanDomain,
  FAVICON_SIZE,
  PREVIEW_SECONDS,
} from '#shared/knowledge/link-previews/link-previews.ts'
import { API_BASE } from '#shared/platform/http.ts'
import type { Platform } from '../../platform/platform.ts'
import { decodePage, readHead } from './read-head.ts'
import type { KeptPreview } from './store.ts'

type Deps = Pick<Platform, 'config' | 'outbound'>

const PAGE_BYTES = 2 * 1024 * 1024
const headers = {
  'user-agent': 'Mozilla/5.0 (compatible; Atrium)',
  accept: 'text/html,application/xhtml+xml',
}

const nothing = { title: null, description: null, image: null, publisher: null }

/** Fetches a page within 5 s and reads its metadata. Without a readable page, the preview contains only what its URL tells. */
export async function fetchPreview({ config, outbound }: Deps, url: string): Promise<KeptPreview> {
  const terms = { maxBytes: PAGE_BYTES, seconds: PREVIEW_SECONDS, trusted: config.ATRIUM_WEB_PRIVATE }
  const answer = await outbound.fetch(url, { headers, ...terms }).catch(() => null)
  const type = answer?.headers.get('content-type') ?? ''
  const isPage = answer?.ok && /html/i.test(type)
  const head = isPage ? readHead(decodePage(answer.bytes, type), answer.url) : nothing
  const image = head.image && canPreview(head.image) ? head.image : null
  const preview = {
    ...describeUnread(url),
    ...{ title: head.title, description: head.description, publisher: head.publisher },
    imageUrl: image && addressOf('/link-previews/image', { url }),
  }
  return { preview, image_url: image }
}

/** Describes a page from its URL alone, without a request. */
export function describeUnread(url: string): KeptPreview['preview'] {
  const domain = new URL(url).host
  return {
    ...{
      url,
      title: null,
      description: null,
      publisher: null,
      imageUrl: null,
      cleanDomain: cleanDomain(url),
    },
    favicon: addressOf('/link-previews/favicon', { domain, sz: String(FAVICON_SIZE) }),
  }
}

/** Returns the possible icon addresses of a server: the one its home page names, then `/favicon.ico`. */
export async function findIcons({ config, outbound }: Deps, domain: string): Promise<string[]> {
  const trusted = config.ATRIUM_WEB_PRIVATE
  const home = trusted.find((url) => new URL(url).host === domain) ?? `https://${domain}`
  const url = new URL('/', home).href
  const usual = new URL('/favicon.ico', home).href
  const terms = { maxBytes: PAGE_BYTES, seconds: PREVIEW_SECONDS, trusted }
  const answer = await outbound.fetch(url, { headers, ...terms }).catch(() => null)
  if (!answer?.ok) return [usual]
  const { icon } = readHead(decodePage(answer.bytes, answer.headers.get('content-type') ?? ''), answer.url)
  return icon === null || icon === usual ? [usual] : [icon, usual]
}

function addressOf(path: string, query: Record<string, string>): string {
  return `${API_BASE}${path}?${new URLSearchParams(query)}`
}
