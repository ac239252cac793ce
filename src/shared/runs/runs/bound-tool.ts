import type { ToolBlock, ToolEvent } from './blocks.ts'

/** Maximum size of a call's events in a message, in characters: while the tool works, and after it ended. */
const WHILE_WORKING = 32_768
const ONCE_SETTLED = 4_096
/** Characters kept of a growing text, counted from its end. */
const TEXT = 16_384
/** Maximum number of events kept, and maximum length of one text. */
const EVENTS = 40
const WORDS = 200
/** Characters counted for an event without data. */
const BARE = 60

/** Final statuses of a call. */
export const settledStatuses: ReadonlySet<ToolBlock['status']> = new Set(['complete', 'failed', 'error'])

/**
 * Returns a call with its events shortened for storage in a message: names, states, and the end of a growing text.
 * The result does not depend on how the events were split or merged.
 */
export function boundTool(block: ToolBlock): ToolBlock {
  const events = withoutOldText(block.events)
  const isSettled = settledStatuses.has(block.status)
  if (sizeOf(events) <= (isSettled ? ONCE_SETTLED : WHILE_WORKING))
    return events === block.events ? block : { ...block, events, events_cut: true }
  const newest = events.at(-1)
  const isGrowing = !isSettled && newest !== undefined && textOf(newest) !== null
  const told = isGrowing ? events.slice(0, -1) : events
  // Of repeated events, the last value counts, at the position of the first.
  const distinct = new Map(told.map((event) => [nameOf(event), bare(event)]))
  const left = [...distinct.values()].slice(-EVENTS)
  return { ...block, events: isGrowing ? [...left, newest] : left, events_cut: true }
}

function withoutOldText(events: ToolEvent[]): ToolEvent[] {
  const newest = events.at(-1)
  const text = newest && textOf(newest)
  if (!text || text.length <= TEXT + 1) return events
  // PostgreSQL rejects the lone surrogate that a cut can leave.
  const end = text.slice(-TEXT).replace(/^[\udc00-\udfff]/, '')
  return events.with(-1, { ...newest, data: { ...newest.data, content: `…${end}` } })
}

function textOf({ type, data }: ToolEvent): string | null {
  return type === 'tool_partial_update' && typeof data?.content === 'string' ? data.content : null
}

/** Counts a text by its characters alone, so that the size never shrinks as the text grows. */
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
