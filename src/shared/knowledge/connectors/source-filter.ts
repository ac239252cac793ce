import * as z from 'zod/mini'
import { Id, trimmed } from '../../platform/primitives.ts'

const Time = z.union([z.iso.date(), z.iso.datetime({ offset: true })])

/** Narrows documents to those that connectors read, by what the source says of them. All parts must hold. */
export const SourceFilter = z.object({
  connector_id: z.optional(Id),
  /** Part of the name of the owner in the source. */
  source_owner: z.optional(trimmed(1, 200)),
  /** A folder of the source with all below it, or one item. */
  source_path: z.optional(trimmed(1, 1_000)),
  /** A label of the source, in any case. */
  source_label: z.optional(trimmed(1, 200)),
  /** First and last day, or time, of the last change in the source. Days are in UTC. */
  changed_from: z.optional(Time),
  changed_to: z.optional(Time),
  /** The same for when it was created there. */
  created_from: z.optional(Time),
  created_to: z.optional(Time),
})
export type SourceFilter = z.infer<typeof SourceFilter>

/** Returns only the parts of a source filter that are set. */
export function sourceFilterOf(given: SourceFilter): SourceFilter {
  const names = Object.keys(SourceFilter.shape) as (keyof SourceFilter)[]
  return Object.fromEntries(names.flatMap((name) => (given[name] ? [[name, given[name]]] : [])))
}
