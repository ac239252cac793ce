import { withoutCitations } from '#shared/platform/citations/citation-tags.ts'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import { mergeEvents } from '#shared/runs/runs/merge.ts'
import { applyEvent } from '#shared/runs/runs/reduce/reduce.ts'
import type { RunView } from '#shared/runs/runs/view.ts'
import type { Publisher } from '../../events/events.ts'
import { type LiveRun, stamp } from './live-run.ts'
import type { ChildOutcome } from './run-context.ts'

/** Interval of preview updates in the parent's message, in milliseconds. */
const PREVIEW_MS = 250
/** Length of a preview, and of the finished result shown in the parent's message, in characters. */
const PREVIEW_LENGTH = 280
const RESULT_LENGTH = 4_000
/** The same for models that are compared, whose whole replies are read. */
const COMPARED_LENGTH = 20_000

export type ChildPublisher = Publisher & {
  /** Events shown in the parent's message, to be stored in the record of the sub-run's end. */
  readonly shown: RunEvent[]
  /** Restores the committed events of a previous attempt and the text position. */
  showAgain: (events: readonly RunEvent[]) => void
  close: () => void
}

/**
 * Folds the events of a sub-run and shows them in its step of the parent's message: tools and thoughts unchanged,
 * text as a preview. Previews precede the event that follows the text, so that thoughts end in the right place.
 */
export function createChildPublisher(
  parent: LiveRun,
  { number, view, isWhole = false }: { number: number; view: RunView; isWhole?: boolean },
): ChildPublisher {
  const shown: RunEvent[] = []
  let current = view
  let timer: NodeJS.Timeout | null = null
  let content = ''
  /** Text not yet shown in a preview, and the step that wrote it. */
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
    const body = {
      event: 'agent_step_progress' as const,
      number,
      progress,
      message: endOf(content, isWhole) || null,
    }
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
    // The first words show immediately that a thought has ended.
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
    get presented() {
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

/** Keeps an event for the record; of growing text only the newest words. */
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

/** Returns the events that end a sub-run in the parent's message. */
export function endEvents(
  parent: LiveRun,
  number: number,
  { state, text: said }: ChildOutcome,
  timestamp: string,
  isWhole = false,
): RunEvent[] {
  const failed = state === 'failed'
  const text = withoutCitations(said)
  const most = isWhole ? COMPARED_LENGTH : RESULT_LENGTH
  const message = text.length > most ? `${text.slice(0, most)}…` : text
  return [
    stamp(parent, null, { event: 'agent_step_progress', number, progress: failed ? null : 100, message }),
    stamp(parent, null, { event: 'agent_step_completed', number, ...(failed ? { failed } : {}), timestamp }),
  ]
}

/** Returns the newest words of growing text, or its beginning where it is read as a whole. */
function endOf(text: string, isWhole: boolean): string {
  if (isWhole) return text.slice(0, COMPARED_LENGTH).trim()
  if (text.length <= PREVIEW_LENGTH) return text.trim()
  const end = text.slice(-PREVIEW_LENGTH)
  return `…${end.slice(end.search(/\s/) + 1)}`.trim()
}
