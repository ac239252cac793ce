import { Agent, request } from 'undici'
import { type ModelCall, ModelError, type StreamModel } from '../port.ts'
import { applyConcessions, concede } from './concessions.ts'
import type { Dialect, Endpoint } from './dialect.ts'
import { failureOf, sentenceFor } from './failures.ts'
import { defaultPatience, withPatience } from './patience.ts'
import { readBody } from './read-body.ts'

// Time is watched per call; the client's own limits would end a slow local model.
const agent = new Agent({
  connections: null,
  pipelining: 1,
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: 30_000,
})

/** Servers that do not know the address of a dialect are spoken to in its other one from then on. */
const speaksOtherwise = new Set<string>()

/** A model spoken to over HTTP. Tries again only while nothing visible was given. */
export function streamOverWire(
  dialect: Dialect,
  endpoint: Endpoint,
  patience = defaultPatience,
): StreamModel {
  return withPatience(patience, async function* (call, signal, watch) {
    const spoken = (speaksOtherwise.has(endpoint.base_url) && dialect.otherwise) || dialect
    const both = AbortSignal.any([signal, watch.signal])
    const opened = await open(spoken, endpoint, call, both)
    yield* readBody(opened.body, opened.dialect.createReader(call), watch.stamp)
  })
}

type Opened = { dialect: Dialect; body: AsyncIterable<Uint8Array> }

/** Sends the call until the server takes it, giving up what it refuses. @throws ModelError */
async function open(
  dialect: Dialect,
  endpoint: Endpoint,
  call: ModelCall,
  signal: AbortSignal,
): Promise<Opened> {
  const { url, headers, body: wanted } = dialect.request(call, endpoint)
  const server = `${endpoint.base_url} ${call.model}`
  let body = applyConcessions(server, wanted)
  for (;;) {
    const response = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
      body: JSON.stringify(body),
      signal,
      dispatcher: agent,
    }).catch(unreachable)
    if (response.statusCode < 300) return { dialect, body: response.body }
    const failure = failureOf(response.statusCode, await response.body.text(), response.headers)
    if (dialect.otherwise && isUnknownAddress(failure)) {
      const opened = await open(dialect.otherwise, endpoint, call, signal)
      speaksOtherwise.add(endpoint.base_url)
      return opened
    }
    const eased = [400, 422].includes(response.statusCode) ? concede(server, body, failure.message) : null
    if (!eased) throw failure
    body = eased
  }
}

/** The address is unknown, not the model. */
function isUnknownAddress({ status, message }: ModelError): boolean {
  return (
    status === 405 || status === 501 || (status === 404 && !/model["'`\s]|deployment/i.test(said(message)))
  )
}

/** What the server itself said, after our opening words. */
const said = (message: string) => message.split(': ').slice(1).join(': ')

function unreachable(error: unknown): never {
  if (error instanceof Error && error.name === 'AbortError') throw error
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  throw new ModelError('unreachable', sentenceFor('unreachable', code), { cause: error })
}
