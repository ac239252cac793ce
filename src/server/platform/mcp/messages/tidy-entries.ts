import * as z from 'zod'
import { bounds } from '../bounds.ts'

const words = z.optional(z.string().catch(''))
const flag = z.optional(z.boolean()).catch(undefined)
/** Limits the cost of long texts, which the listing truncates further. */
const cut = (text: string) => text.slice(0, bounds.description).toWellFormed()

const Prompt = z.object({
  name: z.string(),
  title: words,
  description: words,
  arguments: z.optional(
    z.array(z.object({ name: z.string(), description: words, required: flag })).catch([]),
  ),
})

export function tidyPrompt(entry: unknown): Record<string, unknown> | null {
  const { success, data } = Prompt.safeParse(entry)
  if (!success || data.name.length > 2 * bounds.name) return null
  const { name, title, description, arguments: asked = [] } = data
  return {
    ...{ name, ...(title !== undefined && { title: cut(title) }) },
    ...(description !== undefined && { description: cut(description) }),
    arguments: asked.slice(0, 50).map((one) => ({ ...one, description: cut(one.description ?? '') })),
  }
}

const Resource = z.object({ name: z.string(), title: words, description: words, mimeType: words })

export function tidyResource(entry: unknown, address: 'uri' | 'uriTemplate'): Record<string, unknown> | null {
  const { success, data } = Resource.safeParse(entry)
  const uri = Object(entry)[address]
  if (!success || typeof uri !== 'string' || uri.length > bounds.address) return null
  const { name, title, description, mimeType } = data
  return {
    ...{ [address]: uri, name: cut(name) },
    ...(title !== undefined && { title: cut(title) }),
    ...(description !== undefined && { description: cut(description) }),
    ...(mimeType !== undefined && { mimeType: mimeType.slice(0, 200) }),
  }
}

const Part = z.union([
  z.object({ type: z.literal('text'), text: z.union([z.string(), z.number().transform(String)]) }),
  z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() }),
  z.object({ type: z.literal('resource_link'), uri: z.string(), name: words }),
  z.object({
    type: z.literal('resource'),
    resource: z.object({
      ...{ uri: z.string(), mimeType: words, text: z.optional(z.string()), blob: z.optional(z.string()) },
      _meta: z.optional(z.object({ ui: z.optional(z.unknown()) })).catch(undefined),
    }),
  }),
])
type TidyPart = Record<string, unknown> & { resource?: Record<string, unknown> }

/** Returns a part of a message, truncated to the remaining room; null if it is invalid. */
export function tidyPart(entry: unknown, room: { characters: number }): TidyPart | null {
  const { success, data } = Part.safeParse(entry)
  if (!success) return null
  if (data.type === 'text') return { type: 'text', text: take(data.text, room) }
  if (data.type === 'resource_link')
    return { ...data, uri: data.uri.slice(0, bounds.address), name: data.name ?? '' }
  if (data.type !== 'resource') return data
  const { uri, mimeType, text, blob, _meta } = data.resource
  if (text === undefined && blob === undefined) return null
  const plainMeta = _meta && JSON.stringify(_meta).length <= bounds.description ? { _meta } : {}
  const about = {
    uri: uri.slice(0, bounds.address),
    ...(mimeType !== undefined && { mimeType }),
    ...plainMeta,
  }
  return { type: 'resource', resource: { ...about, ...(text === undefined ? { blob } : { text }) } }
}

function take(text: string, room: { characters: number }): string {
  const shown = text.slice(0, room.characters).toWellFormed()
  room.characters -= shown.length
  return shown.length < text.length
    ? `${shown} […, ${text.length - shown.length} characters left out]`
    : shown
}
