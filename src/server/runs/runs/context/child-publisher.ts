import { withoutCitations } from '#shared/platform/citations/citation-tags.ts'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import { mergeEvents } from '#shared/runs/runs/merge.ts'
import { applyEvent } from '#shared/runs/runs/reduce/reduce.ts'
import type { RunView } from '#shared/runs/runs/view.ts'
import type { Publisher } from '../../events/events.ts'
import { type LiveRun, stamp } from './live-run.ts'
import type { ChildOutcome } from './run-context.ts'

/** How often the growing text of a sub-run is shown in its parent's message, in milliseconds. */
const PREVIEW_MS = 250
/** How much of it is shown while it grows, and of the whole once it is finished, in characters. */
const PREVIEW_LENGTH = 280
const RESULT_LENGTH = 4_000

export type ChildPublisher = Publisher & {
  /** What its parent's message was shown of it, as the record of its end keeps it. */
  readonly shown: RunEvent[]
  /** Shows again what an earlier holder had committed: its events, and how far its text is. */
  showAgain: (events: readonly RunEvent[]) => void
  close: () => void
}

/**
 * Folds what a sub-run says, and shows it in its step of the parent's message: tools and thoughts as they are,
 * text as a preview. A preview comes before whatever follows the text, so that thoughts end where they did.
 */
export function createChildPublisher(
  parent: LiveRun,
  { number, view }: { number: number; view: RunView },
): ChildPublisher {
  const shown: RunEvent[] = []
  let current = view
  let timer: NodeJS.Timeout | null = null
  let content = ''
  /** The end of `content` that no preview has shown yet, and the step that writes it. */
  let added = ''
  let writing = 'preview'
  let isAfterText = false

  const show = (event: RunEvent) => {
    keep(shown, event)
    parent.publisher.emit(event)
  }
  const preview = () => {
    if (timer) clearTimeout(timer)
    timer = null
    if (parent.ending !== null || content === '') return
    const progress = current.progress?.progress ?? null
    const body = { event: 'agent_step_progress' as const, number, progress, message: endOf(content) || null }
    show(stamp(parent, `step${number}/${writing}`, added === '' ? body : { ...body, added }))
    added = ''
  }
  const previewSoon = () => {
    timer ??= setTimeout(preview, PREVIEW_MS)
  }
  const write = (text: string, stepKey: string | null) => {
    if (stepKey !== writing && added !== '') preview()
    writing = stepKey ?? 'preview'
    content += text
    added += text
    // The first words say at once that a thought is over.
    if (isAfterText) previewSoon()
    else preview()
    isAfterText = true
  }
  const take = (event: RunEvent) => {
    if (event.event === 'response_chunk') write(withoutCitations(event.content), event.step_key)
    if (event.event === 'agent_progress') previewSoon()
    if (!isShownAsItIs(event)) return
    if (added !== '') preview()
    isAfterText = false
    const { id: run_id, attempt } = parent
    show({ ...event, run_id, attempt, step_key: `step${number}/${event.step_key ?? ''}` })
  }
  return {
    shown,
    get view() {
      return current
    },
    lastId: 0,
    emit: (event) => {
      current = applyEvent(current, event) ?? current
      take(event)
    },
    flush: () => undefined,
    restart: () => undefined,
    showAgain: (events) => {
      events.forEach(take)
      preview()
    },
    close: () => {
      if (timer) clearTimeout(timer)
    },
  }
}

/** Keeps an event for the record: of a growing text the newest words are enough. */
function keep(shown: RunEvent[], event: RunEvent): void {
  const last = shown.at(-1)
  if (event.event === 'agent_step_progress') {
    const { added: _, ...kept } = event
    if (last?.event === 'agent_step_progress') shown[shown.length - 1] = kept
    else shown.push(kept)
    return
  }
  const merged = last ? mergeEvents(last, event) : null
  if (merged) shown[shown.length - 1] = merged
  else shown.push(event)
}

function isShownAsItIs({ event }: RunEvent): boolean {
  return /^(?:tool_|model_)/.test(event) || event === 'agent_thinking'
}

/** What the parent's message says once a sub-run is over. */
export function endEvents(
  parent: LiveRun,
  number: number,
  { state, text: said }: ChildOutcome,
  timestamp: string,
): RunEvent[] {
  const failed = state === 'failed'
  const text = withoutCitations(said)
  const message = text.length > RESULT_LENGTH ? `${text.slice(0, RESULT_LENGTH)}…` : text
  return [
    stamp(parent, null, { event: 'agent_step_progress', number, progress: failed ? null : 100, message }),
    stamp(parent, null, { event: 'agent_step_completed', number, ...(failed ? { failed } : {}), timestamp }),
  ]
}

/** The newest words of a growing text. */
function endOf(text: string): string {
  if (text.length <= PREVIEW_LENGTH) return text.trim()
  const end = text.slice(-PREVIEW_LENGTH)
  return `…${end.slice(end.search(/\s/) + 1)}`.trim()
}
