import type { ToolBlock, ToolEvent } from './blocks.ts'

/** What the events of a call may take of a message, in characters: while it works, and from its end on. */
const WHILE_WORKING = 32_768
const ONCE_SETTLED = 4_096
/** Characters of a growing text that are kept: its newest. */
const TEXT = 16_384
/** How many events are left of too many, and the longest words of one. */
const EVENTS = 40
const WORDS = 200
/** What an event without data takes. */
const BARE = 60

/** Statuses after which nothing more comes of a call. */
export const settledStatuses: ReadonlySet<ToolBlock['status']> = new Set(['complete', 'failed', 'error'])

/**
 * A call as a message holds it: when its tool said much, the names and states of what it said are left, and the end
 * of the text that grows. However its events were split or merged, the outcome is the same.
 */
export function boundTool(block: ToolBlock): ToolBlock {
  const events = withoutOldText(block.events)
  const isSettled = settledStatuses.has(block.status)
  if (sizeOf(events) <= (isSettled ? ONCE_SETTLED : WHILE_WORKING))
    return events === block.events ? block : { ...block, events, events_cut: true }
  const newest = events.at(-1)
  const isGrowing = !isSettled && newest !== undefined && textOf(newest) !== null
  const told = isGrowing ? events.slice(0, -1) : events
  // Of what was said several times the last one counts, in the place of the first.
  const distinct = new Map(told.map((event) => [nameOf(event), bare(event)]))
  const left = [...distinct.values()].slice(-EVENTS)
  return { ...block, events: isGrowing ? [...left, newest] : left, events_cut: true }
}

function withoutOldText(events: ToolEvent[]): ToolEvent[] {
  const newest = events.at(-1)
  const text = newest && textOf(newest)
  if (!text || text.length <= TEXT + 1) return events
  // Half a character at the cut would not survive being stored.
  const end = text.slice(-TEXT).replace(/^[\udc00-\udfff]/, '')
  return events.with(-1, { ...newest, data: { ...newest.data, content: `…${end}` } })
}

function textOf({ type, data }: ToolEvent): string | null {
  return type === 'tool_partial_update' && typeof data?.content === 'string' ? data.content : null
}

/** A text counts by its characters alone, so that it never counts less when it has grown. */
function sizeOf(events: readonly ToolEvent[]): number {
  return events.reduce((sum, event) => {
    const { data, ...words } = event
    const own = textOf(event)?.length ?? (data ? JSON.stringify(data).length : 0)
    return sum + BARE + own + (words.message?.length ?? 0) + (words.phase?.length ?? 0)
  }, 0)
}

const nameOf = ({ type, phase = '', status = '' }: ToolEvent) => `${type}\n${phase}\n${status}`

function bare({ type, phase, status, message }: ToolEvent): ToolEvent {
  return {
    type,
    ...(phase !== undefined && { phase: phase.slice(0, WORDS) }),
    ...(status !== undefined && { status: status.slice(0, WORDS) }),
    ...(message !== undefined && { message: message.slice(0, WORDS) }),
  }
}
