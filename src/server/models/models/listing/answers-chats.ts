import { request } from 'undici'
import type { ConnectionKind } from '#shared/models/connections/provider-form.ts'
import { possibleBases, rememberBase } from '../addresses/bases.ts'
import { urlAt } from '../addresses/operation-url.ts'
import { ModelError } from '../port.ts'
import { providerOf } from '../provider/providers.ts'
import type { Endpoint } from '../wire/dialect.ts'
import { failureOf, isNoServer, noServerAt, sentenceFor, unreachable } from '../wire/failures.ts'
import { isPage } from './get-json.ts'

const PATIENCE_MS = 60_000
const MAX_BYTES = 64 * 1024
/** Refusals that do not concern the address, the key or the model. */
const PASSING: readonly ModelError['kind'][] = ['bad_request', 'too_long', 'rate_limited']

type Chats = Endpoint & { kind: ConnectionKind }

/**
 * Asks a server without a list for the shortest answer of a model, to find out whether it answers chats. Any answer but a web page
 * passes. @throws ModelError: `wrong_address` where no model server answers, `not_found` where it does not know the model
 */
export async function answersChats(endpoint: Chats, model: string): Promise<void> {
  const { listing, address } = providerOf(endpoint.kind)
  const { probe } = listing
  if (typeof probe === 'function') return probe(endpoint, model)
  let failure: ModelError | null = null
  for (const base of possibleBases(endpoint.base_url, address.version)) {
    failure = await askAt(endpoint, urlAt(base, probe ?? '', model), model)
    if (failure && (isNoServer(failure) || failure.kind === 'wrong_address')) continue
    rememberBase(endpoint.base_url, base)
    if (!failure || PASSING.includes(failure.kind)) return
    throw failure
  }
  if (failure) throw noServerAt(endpoint.base_url, failure)
}

/** Asks at one address. Returns the failure, or null for a usable answer. */
async function askAt(endpoint: Chats, url: string, model: string): Promise<ModelError | null> {
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...providerOf(endpoint.kind).listing.headers(endpoint) },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((error: unknown) => {
    throw error instanceof Error && error.name === 'TimeoutError'
      ? new ModelError('timeout', sentenceFor('timeout'), { cause: error })
      : unreachable(error)
  })
  const bytes = await readStart(answer.body)
  if (answer.statusCode >= 300) return failureOf(answer.statusCode, bytes.toString(), answer.headers)
  return isPage(bytes)
    ? new ModelError('wrong_address', sentenceFor('wrong_address', endpoint.base_url))
    : null
}

/** Reads the start of an answer and ignores the rest. */
async function readStart(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MAX_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, MAX_BYTES)
}
