import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, text } from '../../platform/primitives.ts'

/** Timeout of a page, and lifetime of a stored preview. */
export const PREVIEW_SECONDS = 5
export const PREVIEW_HOURS = 24
/** Edge of a requested icon, in pixels. */
export const FAVICON_SIZE = 64

/** Preview of a web page. Picture addresses point to our server, so the browser contacts no other. */
export const LinkPreview = z.object({
  url: z.string(),
  /** False when only a model named the address; the page is fetched once the person asks for it (POST). */
  fetched: z.boolean(),
  /** Null when the page could not be read. */
  title: z.nullable(z.string()),
  description: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  favicon: z.string(),
  /** Host of the page, without `www.`. */
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

/** Fetches the preview for a person who has seen the whole address. */
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

/** Returns true when a link can have a preview: a web page whose host has a dot and more than three letters. */
export function canPreview(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return (
    (protocol === 'http:' || protocol === 'https:') &&
    hostname.replace(/\.$/, '').includes('.') &&
    hostname.length > 3
  )
}

/** Returns the host of a page without `www.`. */
export function cleanDomain(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : ''
}
