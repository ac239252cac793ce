import { createParser } from 'eventsource-parser'
import type { RunEvent } from '../../src/shared/runs/runs/events.ts'
import { applyEvent } from '../../src/shared/runs/runs/reduce/reduce.ts'
import type { WireEvent } from '../../src/shared/runs/runs/split.ts'
import { createStreamReader } from '../../src/shared/runs/runs/stream-reader.ts'
import type { RunView } from '../../src/shared/runs/runs/view.ts'

export type OpenStream = {
  status: number
  /** All events as received. */
  wire: WireEvent[]
  /** Events for the reducer, with ids and arrival times (milliseconds of this process). */
  events: { event: RunEvent; id: string | null; at: number }[]
  /** Returns the view folded from the events. */
  view: () => RunView | null
  /** Returns the id to resume from. */
  lastId: () => string | null
  /** Waits for the first event with this name. */
  until: (name: string) => Promise<WireEvent>
  /** Resolves when the server has closed the stream. */
  ended: Promise<void>
  /** Disconnects. */
  leave: () => void
}

type Options = { method?: string; headers?: Record<string, string>; body?: unknown }

/** Reads an event stream as the browser does. */
export async function openStream(
  url: string,
  { method = 'GET', headers = {}, body }: Options = {},
): Promise<OpenStream> {
  const abort = new AbortController()
  const answer = await fetch(url, {
    method,
    signal: abort.signal,
    headers: {
      accept: 'text/event-stream',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) {
    throw new Error(`${method} ${url} answered ${answer.status}: ${await answer.text()}`)
  }
  const wire: WireEvent[] = []
  const events: OpenStream['events'] = []
  const waiting = new Set<() => void>()
  const reader = createStreamReader()
  let view: RunView | null = null
  let lastId: string | null = null
  const take = (event: WireEvent) => {
    wire.push(event)
    const read = reader.read(event)
    if (read) {
      events.push({ ...read, at: performance.now() })
      view = applyEvent(view, read.event)
      lastId = read.id ?? lastId
    }
    for (const look of waiting) look()
  }
  const parser = createParser({
    onEvent: ({ event, id, data }) => take({ event: event ?? 'message', id: id ?? null, data }),
  })
  const ended = pump(answer, (text) => parser.feed(text)).catch(() => undefined)
  return {
    status: answer.status,
    wire,
    events,
    view: () => view,
    lastId: () => lastId,
    until: (name) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = wire.find(({ event }) => event === name)
          if (found) resolve(found)
          return found
        }
        if (look()) return
        waiting.add(look)
        void ended.then(
          () =>
            look() ??
            reject(new Error(`the stream ended without ${name}: ${wire.map(({ event }) => event)}`)),
        )
      }),
    ended,
    leave: () => abort.abort(),
  }
}

async function pump(answer: Response, feed: (text: string) => void): Promise<void> {
  if (!answer.body) return
  for await (const text of answer.body.pipeThrough(new TextDecoderStream())) feed(text)
}
