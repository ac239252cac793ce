import * as z from 'zod/mini'
import { PassagePlace } from '../../platform/citations/passages.ts'

const found = {
  /** What it is told apart by: of a page its address, of a passage of a document the id of its chunk. */
  id: z.string(),
  title: z.nullable(z.string()),
  /** Null for what has no address of its own. */
  url: z.nullable(z.string()),
  /** The words in it that count. Passages have none here: they are read anew, as rights to them may be gone. */
  snippet: z.optional(z.string()),
  /** Of a passage: the document it stands in, and where. */
  passage: z.optional(PassagePlace),
}

/** Something a text relies on, as whoever wrote it names it. */
export const FoundSource = z.object(found)
export type FoundSource = z.infer<typeof FoundSource>

/** The same in the text: `number` counts from 1 in the order in which they were named, and stands for it there. */
export const Source = z.object({ ...found, number: z.int() })
export type Source = z.infer<typeof Source>

/** How many sources one text may have. */
export const SOURCES_MAX = 100

/** The sources of a text after more were named: each once, numbered, at most `SOURCES_MAX`. */
export function addSources(known: readonly Source[], more: readonly FoundSource[]): Source[] {
  const byId = new Map<string, FoundSource>(known.map((source) => [source.id, source]))
  for (const source of more) if (!byId.has(source.id)) byId.set(source.id, source)
  return [...byId.values()].slice(0, SOURCES_MAX).map((source, at) => ({ ...source, number: at + 1 }))
}
