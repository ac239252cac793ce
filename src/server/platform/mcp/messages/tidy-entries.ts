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
