import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, text } from '../../platform/primitives.ts'

/** How long a page may take, and how long what it said is kept. */
export const PREVIEW_SECONDS = 5
export const PREVIEW_HOURS = 24
/** The edge of an icon that is asked for, in pixels. */
export const FAVICON_SIZE = 64

/** What a page of the web says of itself. Addresses of pictures are ours: the browser asks no other server. */
export const LinkPreview = z.object({
  url: z.string(),
  /** False: the page was not asked for, as only a model named its address; it is once the person wants it (POST). */
  fetched: z.boolean(),
  /** Null: the page could not be read, and there is nothing to say but where it is. */
  title: z.nullable(z.string()),
  description: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  favicon: z.string(),
  /** The server the page is on, without `www.`. */
  cleanDomain: z.string(),
  publisher: z.nullable(z.string()),
})
export type LinkPreview = z.infer<typeof LinkPreview>

const Address = text(1, 2_000)

export const getLinkPreview = route({
  method: 'GET',
  path: '/link-previews',
  access: 'user',
  fails: ['too_large', 'not_found'],
  summary:
    'What a page of the web says of itself, when its address was written by the person of the chat or returned by a search in it; kept for 24 hours',
  query: z.object({ url: Address, session_id: z.optional(Id) }),
  answer: LinkPreview,
})

/** Asked for by a person who sees the whole address. */
export const showLinkPreview = route({
  method: 'POST',
  path: '/link-previews',
  access: 'user',
  fails: ['too_large'],
  summary: 'What a page of the web says of itself, because a person wants to see it',
  body: z.object({ url: Address }),
  answer: LinkPreview,
})

export const getLinkImage = route({
  method: 'GET',
  path: '/link-previews/image',
  access: 'user',
  fails: ['too_large'],
  sends: 'image/*',
  alsoStatus: [204],
  summary: 'The picture of a page whose preview was read, as a file; 204 without one',
  query: z.object({ url: Address }),
})

export const getFavicon = route({
  method: 'GET',
  path: '/link-previews/favicon',
  access: 'user',
  fails: ['too_large'],
  sends: 'image/*',
  alsoStatus: [204],
  summary: 'The icon of a server of which a page was read, as a file; 204 without one',
  query: z.object({ domain: text(1, 255), sz: z.optional(z.literal(String(FAVICON_SIZE))) }),
})

/** Whether a link can have a preview: a page of the web on a server whose name has a dot and more than three letters. */
export function canPreview(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return (
    (protocol === 'http:' || protocol === 'https:') &&
    hostname.replace(/\.$/, '').includes('.') &&
    hostname.length > 3
  )
}

/** The server of a page, as people say it. */
export function cleanDomain(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : ''
}
