import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { type McpResult, plainIssues } from '../../../../platform/mcp/mcp.ts'
import { tryJson } from '../../../../platform/outbound/foreign/foreign.ts'

/** Parts of an answer as defined by the protocol. Other parts are ignored. */
const Part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() }),
  z.object({ type: z.literal('resource_link'), uri: z.string(), name: z.optional(z.string()) }),
  z.object({
    type: z.literal('resource'),
    resource: z.object({
      uri: z.string(),
      mimeType: z.optional(z.string()),
      text: z.optional(z.string()),
      blob: z.optional(z.string()),
    }),
  }),
])
type Part = z.infer<typeof Part>

/**
 * Returns the result of a call for models: its structured data if there is some, with the text that does not repeat it, otherwise its
 * text. Pictures and sounds are named and omitted. An interface receives the original answer.
 * @throws AppError `invalid` with the server's error
 */
export function shapeResult(
  { content, structuredContent, isError }: McpResult,
  forInterface: boolean,
): unknown {
  const parts = content.flatMap((part) => {
    const { success, data } = Part.safeParse(part)
    return success ? [data] : []
  })
  const text = parts.map(describePart).join('\n\n').trim()
  if (isError) throw new AppError('invalid', reasonOf(text, structuredContent))
  if (forInterface)
    return {
      content: parts.map((part) => ({ type: 'text', text: describePart(part) })),
      ...(structuredContent === undefined ? {} : { structuredContent }),
    }
  if (structuredContent === undefined || isEmpty(structuredContent))
    return text || 'It is done. The server gave no result.'
  return repeats(structuredContent, parts) ? structuredContent : { result: structuredContent, text }
}

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** Returns whether the parts say nothing more than the structured data, which servers repeat as text for older clients. */
function repeats(structured: unknown, parts: readonly Part[]): boolean {
  const { result } = Object(structured) as { result?: unknown }
  const items: unknown[] = Array.isArray(result) ? result : []
  const said = parts.filter((part) => part.type !== 'text' || part.text.trim() !== '')
  return said.every((part, at) => {
    if (part.type !== 'text') return false
    const read = tryJson(part.text)
    // A list has one part per item, in its order.
    const known = [structured, result, items[at]].filter((one) => one !== undefined)
    return known.some((one) => isDeepStrictEqual(one, part.text) || isDeepStrictEqual(one, read))
  })
}

/** Returns why a call failed, in its server's words. */
function reasonOf(text: string, structuredContent: unknown): string {
  const said = text || (structuredContent === undefined ? '' : JSON.stringify(structuredContent))
  return plainIssues(said) || 'The server says that it failed, and not why.'
}

/** Describes a part of a message in words; an empty text for an unknown part. */
export function describeContent(content: unknown): string {
  const { success, data } = Part.safeParse(content)
  return success ? describePart(data) : ''
}

/** Describes a part in words. */
function describePart(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'image':
    case 'audio':
      return `[${part.mimeType}, ${sizeOf(part.data)}, not shown]`
    case 'resource_link':
      return `[${part.name ?? 'resource'}: ${part.uri}]`
    case 'resource': {
      const { uri, mimeType = 'data', text, blob = '' } = part.resource
      return text ?? `[${uri}: ${mimeType}, ${sizeOf(blob)}, not shown]`
    }
    default:
      return part satisfies never
  }
}

const sizeOf = (base64: string) => `${Math.max(1, Math.round((base64.length * 3) / 4 / 1024))} kB`
