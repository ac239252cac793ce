import * as z from 'zod'
import { bounds } from '../bounds.ts'

const words = z.nullish(z.string().catch('')).transform((one) => one ?? undefined)
const Media = z.object({
  type: z.enum(['image', 'audio']),
  data: z.string(),
  mimeType: words,
  /** The name of the field in other languages. */
  mime_type: words,
})
const Link = z.object({ type: z.literal('resource_link'), uri: z.string(), name: words })
const Resource = z.object({
  type: z.literal('resource'),
  resource: z.object({
    ...{ uri: z.string().catch(''), mimeType: words, text: words, blob: words },
    _meta: z.optional(z.object({ ui: z.optional(z.unknown()) })).catch(undefined),
  }),
})

/** Characters that a part has left. */
type Room = { characters: number }
type TidyPart = Record<string, unknown> & { resource?: Record<string, unknown> }

/**
 * Returns a part of a message as the SDK accepts it, truncated to the remaining room. A part of an unknown kind becomes its JSON as
 * text, so that it reaches the model. Null if it holds nothing.
 */
export function tidyPart(entry: unknown, room: Room): TidyPart | null {
  if (entry === null || entry === undefined) return null
  const { type, text } = Object(entry) as Record<string, unknown>
  if (type === 'text' || (type === undefined && text !== undefined))
    return text === null || text === undefined ? null : textPart(asText(text), room)
  if (typeof entry !== 'object') return textPart(asText(entry), room)
  const media = Media.safeParse(entry).data
  if (media) return tidyMedia(media, room)
  const link = Link.safeParse(entry).data
  if (link) return { ...link, uri: link.uri.slice(0, bounds.address), name: link.name ?? '' }
  const { resource } = Resource.safeParse(entry).data ?? {}
  if (resource) return tidyResourcePart(resource)
  return Object.keys(entry).length > 1 ? textPart(asText(entry), room) : null
}

/** Returns a text unchanged, and any other value as JSON. */
export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

function tidyMedia({ type, data, mimeType, mime_type }: z.infer<typeof Media>, room: Room): TidyPart {
  const [, named, written = data] = /^data:([\w/+.-]{1,100})[^,]{0,100},([\s\S]*)$/.exec(data) ?? []
  const bytes = plainBase64(written)
  if (bytes === null) return textPart(`[The ${type} is damaged.]`, room)
  return { type, data: bytes, mimeType: mimeType || mime_type || named || kindOf(type, bytes) }
}

/** Returns base64 without line breaks and with its usual signs; null for other texts, which the SDK refuses with the whole answer. */
function plainBase64(text: string): string | null {
  const signs = text.replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/')
  let end = signs.length
  while (signs[end - 1] === '=') end -= 1
  const plain = signs.slice(0, end)
  if (/[^A-Za-z0-9+/]/.test(plain) || plain.length % 4 === 1) return null
  return plain.padEnd(Math.ceil(plain.length / 4) * 4, '=')
}

/** Beginnings of files in base64. */
const BEGINNINGS: Record<string, string> = {
  iVBOR: 'image/png',
  '/9j/': 'image/jpeg',
  R0lG: 'image/gif',
  UklGR: 'image/webp',
}

function kindOf(type: 'image' | 'audio', bytes: string): string {
  const start = Object.keys(BEGINNINGS).find((one) => bytes.startsWith(one))
  if (type === 'audio') return 'audio/wav'
  return (start && BEGINNINGS[start]) ?? 'image/png'
}

function tidyResourcePart({
  uri,
  mimeType,
  text,
  blob,
  _meta,
}: z.infer<typeof Resource>['resource']): TidyPart | null {
  if (text === undefined && blob === undefined) return null
  const bytes = blob === undefined ? undefined : plainBase64(blob)
  const plainMeta = _meta && JSON.stringify(_meta).length <= bounds.description ? { _meta } : {}
  const about = {
    uri: uri.slice(0, bounds.address),
    ...(mimeType !== undefined && { mimeType }),
    ...plainMeta,
  }
  if (text !== undefined) return { type: 'resource', resource: { ...about, text } }
  return bytes ? { type: 'resource', resource: { ...about, blob: bytes } } : null
}

const textPart = (text: string, room: Room): TidyPart => ({ type: 'text', text: take(text, room) })

function take(text: string, room: Room): string {
  const shown = text.slice(0, room.characters).toWellFormed()
  room.characters -= shown.length
  return shown.length < text.length
    ? `${shown} […, ${text.length - shown.length} characters left out]`
    : shown
}
