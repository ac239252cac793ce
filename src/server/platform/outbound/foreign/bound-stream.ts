import { setImmediate as nextTurn } from 'node:timers/promises'
import { createEventScanner } from './event-scanner.ts'
import { createJsonScanner, type JsonBounds, tooLarge } from './json-scanner.ts'

export type StreamBounds = JsonBounds & {
  /** Maximum bytes of one message. */
  bytes: number
}
/** Rewrites whole messages in transit, for example to mask secrets. */
export type Rewrite = (messages: Uint8Array) => Uint8Array | Promise<Uint8Array>

/** Events emitted per turn of the event loop. */
const EVENTS_PER_TURN = 50

/** Creates a transform that emits one JSON body whole. It aborts at the first byte, value or level beyond the limits. */
export function boundJson(bounds: StreamBounds, rewrite: Rewrite): TransformStream<Uint8Array, Uint8Array> {
  const scanner = createJsonScanner(bounds)
  const parts: Uint8Array[] = []
  let size = 0
  return new TransformStream({
    transform: (chunk) => {
      size += chunk.length
      if (size > bounds.bytes) throw tooLarge()
      scanner.scan(chunk)
      parts.push(chunk)
    },
    flush: async (controller) => controller.enqueue(await rewrite(Buffer.concat(parts))),
  })
}

/**
 * Creates a transform for an event stream (WHATWG, "Server-sent events") that aborts at the first event beyond the limits.
 * Events are emitted whole, a few per turn of the event loop: a reader of small chunks would rescan each event from its start.
 */
export function boundEvents(bounds: StreamBounds, rewrite: Rewrite): TransformStream<Uint8Array, Uint8Array> {
  const scanner = createEventScanner(bounds)
  let parts: Uint8Array[] = []
  let size = 0
  const add = (part: Uint8Array) => {
    size += part.length
    if (size > bounds.bytes) throw tooLarge()
    parts.push(part)
  }
  const take = () => {
    const whole = Buffer.concat(parts)
    parts = []
    return whole
  }
  return new TransformStream({
    transform: async (chunk, controller) => {
      const ends: number[] = []
      scanner.scan(chunk, (end) => ends.push(end))
      let given = 0
      for (let first = 0; first < ends.length; first += EVENTS_PER_TURN) {
        const end = ends[Math.min(first + EVENTS_PER_TURN, ends.length) - 1] ?? given
        add(chunk.subarray(given, end))
        controller.enqueue(await rewrite(take()))
        given = end
        size = 0
        await nextTurn()
      }
      add(chunk.subarray(given))
    },
    flush: async (controller) => controller.enqueue(await rewrite(take())),
  })
}
