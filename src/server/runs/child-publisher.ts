import type { RunEvent } from '#shared/runs/events.ts'
import { applyEvent } from '#shared/runs/reduce.ts'
import type { RunView } from '#shared/runs/view.ts'
import { type LiveRun, stamp } from './live-run.ts'
import type { Publisher } from './publisher.ts'
import type { ChildOutcome } from './run-context.ts'

/** How often the growing text of a sub-run is shown in its parent's message, in milliseconds. */
const PREVIEW_MS = 250
/** How much of it is shown while it grows, and of the whole once it is finished, in characters. */
const PREVIEW_LENGTH = 280
const RESULT_LENGTH = 4_000

export type ChildPublisher = Publisher & {
  /** Shows how far the text is, now. */
  preview: () => void
  close: () => void
}

/** Folds what a sub-run says, and shows it in its step of the parent's message: tools as they are, text as a preview. */
export function createChildPublisher(
  parent: LiveRun,
  { number, view }: { number: number; view: RunView },
): ChildPublisher {
  let current = view
  let timer: NodeJS.Timeout | null = null
  const preview = () => {
    timer = null
    if (parent.ending !== null || current.content === '') return
    const progress = current.progress?.progress ?? null
    const message = endOf(current.content) || null
    parent.publisher.emit(
      stamp(parent, `step${number}/preview`, { event: 'agent_step_progress', number, progress, message }),
    )
  }
  return {
    get view() {
      return current
    },
    lastId: 0,
    emit: (event) => {
      current = applyEvent(current, event) ?? current
      for (const shown of toolEvents(parent, number, [event])) parent.publisher.emit(shown)
      if (event.event === 'response_chunk' || event.event === 'agent_progress')
        timer ??= setTimeout(preview, PREVIEW_MS)
    },
    flush: () => undefined,
    restart: () => undefined,
    preview,
    close: () => {
      if (timer) clearTimeout(timer)
    },
  }
}

/** The tools among a sub-run's events, as events of its step in the parent's message. */
export function toolEvents(parent: LiveRun, number: number, events: readonly RunEvent[]): RunEvent[] {
  return events.flatMap((event) => {
    if (!event.event.startsWith('tool_')) return []
    const { id: run_id, attempt } = parent
    return [{ ...event, run_id, attempt, step_key: `step${number}/${event.step_key ?? ''}` }]
  })
}

/** What the parent's message says once a sub-run is over. */
export function endEvents(parent: LiveRun, number: number, { state, text }: ChildOutcome): RunEvent[] {
  const failed = state === 'failed'
  const message = text.length > RESULT_LENGTH ? `${text.slice(0, RESULT_LENGTH)}…` : text
  return [
    stamp(parent, null, { event: 'agent_step_progress', number, progress: failed ? null : 100, message }),
    stamp(parent, null, { event: 'agent_step_completed', number, ...(failed ? { failed } : {}) }),
  ]
}

/** The newest words of a growing text. */
function endOf(text: string): string {
  if (text.length <= PREVIEW_LENGTH) return text.trim()
  const end = text.slice(-PREVIEW_LENGTH)
  return `…${end.slice(end.search(/\s/) + 1)}`.trim()
}
