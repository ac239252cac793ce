import { setTimeout as sleep } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import { Agent, request } from 'undici'
import { type ModelCall, ModelError, type ModelPart, type StreamModel } from '../port.ts'
import type { Dialect, Endpoint } from './dialect.ts'
import { failureOf, isPassing, sentenceFor } from './failures.ts'

export type Patience = {
  /** Milliseconds until the first byte of an answer. */
  firstMs: number
  /** Milliseconds between two bytes. */
  idleMs: number
  /** How often a call is tried when nothing visible was given yet. */
  attempts: number
  /** The first wait between two attempts, in milliseconds; doubles each time. */
  backoffMs: number
}

export const defaultPatience: Patience = { firstMs: 120_000, idleMs: 90_000, attempts: 3, backoffMs: 500 }

// Time is watched per call below; the client's own limits would end a slow local model.
const agent = new Agent({
  connections: null,
  pipelining: 1,
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: 30_000,
})

/** A model spoken to over HTTP. Tries again only while nothing visible was given. */
export function streamOverWire(
  dialect: Dialect,
  endpoint: Endpoint,
  patience = defaultPatience,
): StreamModel {
  return async function* (call, signal) {
    for (let attempt = 1; ; attempt += 1) {
      let isVisible = false
      try {
        for await (const part of streamOnce(dialect, endpoint, call, signal, patience)) {
          isVisible ||= part.type !== 'usage'
          yield part
        }
        return
      } catch (error) {
        signal.throwIfAborted()
        const failure = asModelError(error)
        if (isVisible || attempt >= patience.attempts || !isPassing(failure)) throw failure
        await sleep(waitBefore(attempt, failure, patience), undefined, { signal })
      }
    }
  }
}

async function* streamOnce(
  dialect: Dialect,
  endpoint: Endpoint,
  call: ModelCall,
  signal: AbortSignal,
  patience: Patience,
): AsyncGenerator<ModelPart> {
  const watch = watchSilence(patience)
  try {
    const { url, headers, body } = dialect.request(call, endpoint)
    const response = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, watch.signal]),
      dispatcher: agent,
    }).catch(unreachable)
    if (response.statusCode >= 300) {
      throw failureOf(response.statusCode, await response.body.text(), response.headers)
    }
    yield* readAnswer(dialect, response.body, String(response.headers['content-type'] ?? ''), watch.stamp)
  } catch (error) {
    if (watch.signal.aborted && !signal.aborted) throw new ModelError('timeout', sentenceFor('timeout'))
    throw error
  } finally {
    watch.end()
  }
}

async function* readAnswer(
  dialect: Dialect,
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  stamp: () => void,
): AsyncGenerator<ModelPart> {
  const reader = dialect.createReader()
  const decoder = new TextDecoder()
  let parts: ModelPart[] = []
  let whole = ''
  const isEvents = !contentType.includes('json')
  const parser = createParser({
    onEvent: ({ data, event }) => {
      for (const part of reader.read(data, event)) parts.push(part)
    },
  })
  for await (const bytes of body) {
    stamp()
    const text = decoder.decode(bytes, { stream: true })
    let failure: unknown
    try {
      if (!isEvents) whole += text
      else parser.feed(text)
    } catch (error) {
      failure = error
    }
    const ready = parts
    parts = []
    for (const part of ready) yield part
    // What came before a failure in the same packet is given first.
    if (failure !== undefined) throw failure
  }
  // The last event may lack its blank line; a server that does not stream answers one JSON object.
  if (isEvents) parser.feed('\n\n')
  else parts.push(...reader.read(whole, undefined))
  for (const part of parts) yield part
  for (const part of reader.end()) yield part
}

/** One coarse timer per call: a token only moves a number. */
function watchSilence({ firstMs, idleMs }: Patience) {
  const controller = new AbortController()
  let last = performance.now()
  let limit = firstMs
  const timer = setInterval(
    () => {
      if (performance.now() - last > limit) controller.abort()
    },
    Math.min(250, firstMs / 4, idleMs / 4),
  )
  return {
    signal: controller.signal,
    stamp: () => {
      last = performance.now()
      limit = idleMs
    },
    end: () => clearInterval(timer),
  }
}

function unreachable(error: unknown): never {
  if (error instanceof Error && error.name === 'AbortError') throw error
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  throw new ModelError('unreachable', sentenceFor('unreachable', code), { cause: error })
}

/** What breaks once an answer has begun, breaks it off. */
function asModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error
  return new ModelError('interrupted', sentenceFor('interrupted'), { cause: error })
}

function waitBefore(attempt: number, error: ModelError, { backoffMs }: Patience): number {
  if (error.retryAfterSeconds !== undefined) return error.retryAfterSeconds * 1000
  return backoffMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
}
