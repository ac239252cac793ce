import * as z from 'zod/mini'
import {
  EngineFailure,
  TimeRange,
  WebAnswer,
  WebEngine,
  WebSource,
} from '#shared/knowledge/web-search/web-search.ts'
import type { ToolEvent } from '#shared/runs/runs/blocks.ts'

const Told = z.object({
  ...{ found: z.optional(z.int()), read: z.optional(z.int()), of: z.optional(z.int()) },
  ...{ engine: z.optional(WebEngine), failures: z.optional(z.array(EngineFailure)) },
  sources: z.optional(z.array(WebSource)),
})

/** The known facts about a search: its progress during it, the whole answer afterwards. */
export type WebShown = Pick<WebAnswer, 'response' | 'is_answered' | 'doubts' | 'sources' | 'failures'> & {
  engine: WebEngine | null
  time_range: TimeRange | null
  /** Number of pages found, and of those read so far; null while unknown. */
  found: number | null
  read: { read: number; of: number } | null
}

/** Derives the state of a search from its events and its result. */
export function readSearch(input: unknown, events: readonly ToolEvent[], result: unknown): WebShown {
  const told = events.flatMap(({ data }) => Told.safeParse(data).data ?? [])
  const last = <Key extends keyof z.infer<typeof Told>>(key: Key) =>
    told.findLast((one) => one[key] !== undefined)?.[key]
  const [read, of] = [last('read'), last('of')]
  const progress = {
    found: last('found') ?? null,
    read: read === undefined || of === undefined ? null : { read, of },
  }
  const answer = WebAnswer.safeParse(result).data
  if (answer) return { ...answer, ...progress }
  return {
    response: events.map(({ data }) => (typeof data?.content === 'string' ? data.content : '')).join(''),
    ...{ is_answered: true, doubts: [], sources: last('sources') ?? [], failures: last('failures') ?? [] },
    ...{ engine: last('engine') ?? null, time_range: rangeOf(input), ...progress },
  }
}

function rangeOf(input: unknown): TimeRange | null {
  const range = typeof input === 'object' && input !== null && 'time_range' in input ? input.time_range : null
  return TimeRange.safeParse(range).data ?? null
}

/** Returns the search query. */
export function queryOf(input: unknown): string {
  return typeof input === 'object' && input !== null && 'query' in input ? String(input.query) : ''
}
