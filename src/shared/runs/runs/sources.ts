import * as z from 'zod/mini'
import { CitedQuery, PassagePlace } from '../../platform/citations/passages.ts'

const found = {
  /** Identity of the source: the address of a page, the chunk id of a passage, or the id of a query's execution. */
  id: z.string(),
  title: z.nullable(z.string()),
  /** Null for a source without an address. */
  url: z.nullable(z.string()),
  /** Relevant words of a page. Absent for passages: their words are read on display, as access may be revoked. */
  snippet: z.optional(z.string()),
  /** Location of a passage in its document. */
  passage: z.optional(PassagePlace),
  query: z.optional(CitedQuery),
}

/** A source as the provider or tool names it. */
export const FoundSource = z.object(found)
export type FoundSource = z.infer<typeof FoundSource>

/** A source within a text. `number` counts from 1 in the order of naming. */
export const Source = z.object({ ...found, number: z.int() })
export type Source = z.infer<typeof Source>

/** Maximum number of sources per text. */
export const MAX_SOURCES = 100

/** Returns the sources of a text after adding more: each once, numbered, at most `MAX_SOURCES`. */
export function addSources(known: readonly Source[], more: readonly FoundSource[]): Source[] {
  const byId = new Map<string, FoundSource>(known.map((source) => [source.id, source]))
  for (const source of more) if (!byId.has(source.id)) byId.set(source.id, source)
  return [...byId.values()].slice(0, MAX_SOURCES).map((source, at) => ({ ...source, number: at + 1 }))
}
