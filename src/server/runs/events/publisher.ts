import type { RunEvent } from '#shared/runs/runs/events.ts'
import { mergeEvents } from '#shared/runs/runs/merge.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { applyEvent } from '#shared/runs/runs/reduce/reduce.ts'
import type { RunView } from '#shared/runs/runs/view.ts'
import type { Channels } from './channels.ts'
import { createFramer, firstId } from './frames.ts'
import type { SentFrames } from './sent-frames.ts'
import type { Ticker } from './ticker.ts'

/** Sends the events of one run held by this process, and keeps the view they fold to. */
export type Publisher = {
  /** What readers have been sent so far, folded. */
  readonly view: RunView
  readonly lastId: number
  /** Deltas wait for their neighbours, everything else goes at once and pushes them out first. */
  emit: (event: RunEvent) => void
  /** Sends the deltas that wait. */
  flush: () => void
  /** Tells every reader to start over with the view as it is. */
  restart: (userMessage: Message | null) => void
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

  function send(event: RunEvent) {
    lastId += 1
    current = applyEvent(current, event) ?? current
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
  /** A character may be cut between two deltas: its first half waits for the second. */
  function sendWhole(event: RunEvent) {
    if (event.event !== 'response_chunk' || !endsInHalf(event.content)) return send(event)
    pending = { ...event, content: event.content.slice(-1) }
    if (event.content.length > 1) send({ ...event, content: event.content.slice(0, -1) })
  }
  /** Readers on other processes wait for the first words of a reply as those of this one do. */
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
      // Nothing completes a half that still waits.
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
    get lastId() {
      return lastId
    },
    emit,
    flush,
    restart: (user_message) => {
      const { id: run_id, sessionId: session_id, attempt } = run
      const last_event_id = String(lastId + 1)
      const origin = { run_id, step_key: null, attempt }
      send({ event: 'task_stream_init', ...origin, session_id, view: current, user_message, last_event_id })
    },
  }
}

function isDelta(event: RunEvent): boolean {
  if (event.event === 'response_chunk' || event.event === 'agent_thinking') return true
  return event.event === 'tool_partial_update' && event.content !== undefined
}

function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}
