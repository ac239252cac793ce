import { createParser } from 'eventsource-parser'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import type { createStreamReader } from '#shared/runs/runs/stream-reader.ts'

/** The server pings every 15 s; after three missed pings the connection is dead, even if TCP has not noticed. */
const silenceMs = 45_000

export type StreamTold = {
  event(event: RunEvent, id: string | null): void
  /** The server asks to reconnect after this time. */
  retry?(ms: number): void
  /** Data or a ping arrived, so the connection works. */
  alive?(): void
  /** The older protocol names a place to navigate to after the end. */
  navigate?(to: string): void
}

/** Why reading ended: the connection was closed, or the token is invalid. */
export type StreamEnd = 'closed' | 'unauthorized'

/** The answer is not a stream, or the browser cannot read one, so a retry is useless. */
export class UnreadableStream extends Error {}

export type RunReader = ReturnType<typeof createStreamReader>

/**
 * Reads an open event stream to its end and reports every event once.
 * @throws if the connection breaks, is silent for 45 s, or cannot be read
 */
export async function readStream(
  response: Response,
  reader: RunReader,
  told: StreamTold,
): Promise<StreamEnd> {
  const { body } = response
  if (!body) throw new UnreadableStream('ReadableStream not supported in this browser')
  const type = response.headers.get('content-type') ?? ''
  if (/json/.test(type)) {
    const { readOlder } = await import('./read-older.ts')
    return readOlder((onText) => readText(body, onText), told)
  }
  if (!type.startsWith('text/event-stream')) throw new UnreadableStream('Invalid streaming response object')
  let end: StreamEnd = 'closed'
  const parser = createParser({
    onRetry: (ms) => told.retry?.(ms),
    onEvent: ({ event, id, data }) => {
      if (event === 'unauthorized') end = 'unauthorized'
      const read = reader.read({ event: event ?? 'message', id: id ?? null, data })
      if (read) told.event(read.event, read.id)
    },
  })
  await readText(body, (text) => {
    told.alive?.()
    parser.feed(text)
  })
  return end
}

async function readText(body: ReadableStream<Uint8Array>, onText: (text: string) => void): Promise<void> {
  const stream = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await withinSilence(stream.read())
      if (done) return
      onText(decoder.decode(value, { stream: true }))
    }
  } finally {
    void stream.cancel().catch(() => undefined)
  }
}

function withinSilence<T>(read: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The stream is silent')), silenceMs)
    read.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
