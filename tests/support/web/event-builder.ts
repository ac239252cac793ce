import type { RunEventBody } from '#shared/runs/runs/events.ts'
import type { RunView } from '#shared/runs/runs/view.ts'

const origin = { run_id: 'run-1', step_key: null, attempt: 1 }

/** Returns the text of an event on the wire. */
export function onWire({ event, ...data }: RunEventBody, id?: string): string {
  return `event: ${event}\n${id ? `id: ${id}\n` : ''}data: ${JSON.stringify({ ...origin, ...data })}\n\n`
}

/** Returns a run's view as sent at the start of a stream. */
export function aView(patch: Partial<RunView> = {}): RunView {
  return {
    ...{ run_id: 'run-1', session_id: 'session-1', message_id: 'reply-1', user_message_id: 'question-1' },
    ...{ agent_type: 'multi_turn', model_name: 'openai/gpt-4o', status: 'streaming', stopped: false },
    ...{ content: '', blocks: [], progress: null, ...patch },
  }
}

/** Returns the first event of a stream. */
export function anInit(
  view: RunView | null,
  last_event_id: string | null = null,
  user_message = null,
): string {
  return onWire({ event: 'task_stream_init', session_id: 'session-1', view, user_message, last_event_id })
}

/** Returns the final event of a run. */
export function aCompletion(stopped = false): RunEventBody<'agent_processing_complete'> {
  return {
    event: 'agent_processing_complete',
    message_id: 'reply-1',
    stopped,
    timestamp: '2026-01-01T00:00:00Z',
  }
}

/** An event stream whose text is written by the test. */
export class WrittenStream {
  readonly response: Response
  private control!: ReadableStreamDefaultController<Uint8Array>
  isCancelled = false

  constructor() {
    const body = new ReadableStream<Uint8Array>({
      start: (control) => {
        this.control = control
      },
      cancel: () => {
        this.isCancelled = true
      },
    })
    this.response = new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }

  write(...texts: string[]): this {
    for (const text of texts) this.control.enqueue(new TextEncoder().encode(text))
    return this
  }

  close(): this {
    this.control.close()
    return this
  }

  /** Breaks the connection. */
  break(): void {
    this.control.error(new TypeError('network error'))
  }
}
