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

/** What is known of a search: what it has told while it works, all of the answer when it is over. */
export type WebShown = Pick<WebAnswer, 'response' | 'is_answered' | 'doubts' | 'sources' | 'failures'> & {
  engine: WebEngine | null
  time_range: TimeRange | null
  /** How many pages were found, and how many of those that are read are done; null while that is not known. */
  found: number | null
  read: { read: number; of: number } | null
}

/** What a search tells: its events, and its result once it has one. */
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

/** What is searched for. */
export function queryOf(input: unknown): string {
  return typeof input === 'object' && input !== null && 'query' in input ? String(input.query) : ''
}
