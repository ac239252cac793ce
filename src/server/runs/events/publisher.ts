import type { RunEvent } from '#shared/runs/runs/events.ts'
import { mergeEvents } from '#shared/runs/runs/merge.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { applyEvent } from '#shared/runs/runs/reduce/reduce.ts'
import type { RunView } from '#shared/runs/runs/view.ts'
import type { Channels } from './channels.ts'
import { createFramer, firstId } from './frames.ts'
import type { SentFrames } from './sent-frames.ts'
import type { Ticker } from './ticker.ts'

/** Sends the events of one run owned by this process, and folds them into its view. */
export type Publisher = {
  /** The fold of everything sent to readers so far, without the text of lost attempts. */
  readonly view: RunView
  /** The view for new readers: that of a lost attempt until this one says something. */
  readonly presented: RunView
  readonly lastId: number
  /** Sends an event. Deltas are buffered and merged; any other event flushes the buffer and is sent immediately. */
  emit: (event: RunEvent) => void
  /** Sends the buffered deltas. */
  flush: () => void
  /**
   * Makes every reader start over: with the current view, or with what a lost attempt had sent. That stays readable until the
   * first event that changes the current view.
   */
  restart: (userMessage: Message | null, lost?: RunView | null) => void
}

type Options = {
  run: { id: string; sessionId: string; epoch: number; attempt: number }
  view: RunView
  channels: Channels
  sentFrames: SentFrames
  ticker: Ticker
}

export function createPublisher({ run, view, channels, sentFrames, ticker }: Options): Publisher {
  const frame = createFramer()
  let pending: RunEvent | null = null
  let isWaiting = false
  let lastId = firstId(run.epoch)
  let current = view
  let lastStep: string | null = null
  let hasBegun = false
  let remnant: { view: RunView; userMessage: Message | null } | null = null

  function send(event: RunEvent) {
    const next = applyEvent(current, event) ?? current
    if (remnant && saysMore(current, next)) replaceRemnant(remnant.userMessage)
    current = next
    publish(event)
  }
  function replaceRemnant(userMessage: Message | null) {
    remnant = null
    publishView(current, userMessage)
  }
  function publishView(shown: RunView, user_message: Message | null) {
    const { id: run_id, sessionId: session_id, attempt } = run
    const last_event_id = String(lastId + 1)
    const origin = { run_id, step_key: null, attempt }
    publish({ event: 'task_stream_init', ...origin, session_id, view: shown, user_message, last_event_id })
  }
  function publish(event: RunEvent) {
    lastId += 1
    const sent = frame(lastId, event)
    sentFrames.add(run, sent)
    channels.tell(run.sessionId, sent)
  }
  function flush() {
    if (!pending) return
    const event = pending
    pending = null
    sendWhole(event)
  }
  /** Holds back half of a surrogate pair until the next delta completes it. */
  function sendWhole(event: RunEvent) {
    if (event.event !== 'response_chunk' || !endsInHalf(event.content)) return send(event)
    pending = { ...event, content: event.content.slice(-1) }
    if (event.content.length > 1) send({ ...event, content: event.content.slice(0, -1) })
  }
  /** Stores the first words immediately, so that readers on other processes do not wait for the interval. */
  function hasten() {
    if (!hasBegun) sentFrames.hasten(run.id)
    hasBegun = true
  }
  function tick() {
    isWaiting = false
    flush()
  }
  function emit(event: RunEvent) {
    if (!isDelta(event)) {
      flush()
      // No further delta can complete a pending half.
      pending = null
      return send(event)
    }
    const merged = pending && mergeEvents(pending, event)
    if (pending && !merged) flush()
    pending = merged ?? event
    if (event.step_key !== lastStep) {
      lastStep = event.step_key
      flush()
      hasten()
    } else if (!isWaiting) {
      isWaiting = true
      ticker.soon(tick)
    }
  }
  return {
    get view() {
      return current
    },
    get presented() {
      return remnant?.view ?? current
    },
    get lastId() {
      return lastId
    },
    emit,
    flush,
    restart: (userMessage, lost = null) => {
      remnant = lost && { view: { ...lost, is_interrupted: true }, userMessage }
      publishView(remnant?.view ?? current, userMessage)
    },
  }
}

/** Tells whether an event changed what a reader sees of the reply. */
function saysMore(before: RunView, after: RunView): boolean {
  return before.blocks !== after.blocks || before.status !== after.status
}

function isDelta(event: RunEvent): boolean {
  if (event.event === 'response_chunk' || event.event === 'agent_thinking') return true
  return event.event === 'tool_partial_update' && event.content !== undefined
}

function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}
