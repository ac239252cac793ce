import { type Learned, learnInMemory } from '../adapting/learned.ts'
import { possibleBases, rememberBase } from '../addresses/bases.ts'
import type { ModelCall, ModelError, StreamModel } from '../port.ts'
import { defaultLimits } from './allowance.ts'
import { applyConcessions, concede } from './concessions.ts'
import type { Dialect, Endpoint, WireRequest } from './dialect.ts'
import { failureOf, isNoServer, noServerAt, unreachable } from './failures.ts'
import { openGate } from './gate.ts'
import { defaultPatience, withPatience } from './patience.ts'
import { postAndRead } from './post.ts'
import { type BodyReader, createBodyReader, type EndMarks } from './read-body.ts'
import { isVague, withoutOptional } from './vague-refusals.ts'

/** Addresses and models that do not support a dialect and are asked in its alternative. */
const speaksOtherwise = new Set<string>()

const keyOf = ({ base_url }: Endpoint, { model }: ModelCall) => `${base_url} ${model}`

/** Addresses and models whose answers had a mark of their end. */
const marksEnds = new Set<string>()

function endMarksOf(endpoint: Endpoint, call: ModelCall): EndMarks {
  const key = keyOf(endpoint, call)
  return { isExpected: () => marksEnds.has(key), note: () => void marksEnds.add(key) }
}

/** Facts learned from refusals by address and model, for callers without a store. */
const remembered = new Map<string, Learned>()

function rememberedHere(endpoint: Endpoint, call: ModelCall): Learned {
  const key = keyOf(endpoint, call)
  const known = remembered.get(key) ?? learnInMemory()
  remembered.set(key, known)
  return known
}

/** Streams from a model over HTTP. Retries only while nothing visible was emitted. */
export function streamOverWire(
  dialect: Dialect,
  given: Endpoint,
  patience = defaultPatience,
  limits = defaultLimits,
  gate = openGate(given),
  learned?: Learned,
): StreamModel {
  const attempt: Parameters<typeof withPatience>[1] = async (call, signal, watch, give, endpoint) => {
    const spoken = (speaksOtherwise.has(keyOf(endpoint, call)) && dialect.otherwise) || dialect
    const both = AbortSignal.any([signal, watch.signal])
    const facts = learned ?? rememberedHere(endpoint, call)
    const known = { endpoint, learned: facts, waitWhole: watch.waitWhole }
    await ask(waysOf(spoken, endpoint.base_url), known, call, both, (used) => {
      if (used.dialect !== dialect) speaksOtherwise.add(keyOf(endpoint, call))
      if (used.dialect.version) rememberBase(endpoint.base_url, used.base_url)
      const reader = used.dialect.createReader(call, watch.allowance)
      const { read, end } = createBodyReader(reader, give, limits, endMarksOf(endpoint, call))
      const stampAndRead = (bytes: Uint8Array) => {
        watch.stamp()
        return read(bytes)
      }
      return { read: stampAndRead, end }
    })
  }
  return withPatience(patience, attempt, gate, limits)
}

/** The address and the learned facts of a server, and how to wait for an answer that is not streamed. */
type Known = { endpoint: Endpoint; learned: Learned; waitWhole: () => void }

/** A dialect and the base address to use it at. */
type Way = { dialect: Dialect; base_url: string }

/** Dialects and addresses to try, the most likely first. */
function waysOf(dialect: Dialect, address: string): Way[] {
  const bases = dialect.version ? possibleBases(address, dialect.version) : [address]
  const ways = bases.map((base_url) => ({ dialect, base_url }))
  return dialect.otherwise ? [...ways, ...waysOf(dialect.otherwise, address)] : ways
}

/** Tries one way after the other until a server knows the address, and reads the answer. @throws ModelError */
async function ask(
  [way, ...others]: Way[],
  known: Known,
  call: ModelCall,
  signal: AbortSignal,
  accept: (way: Way) => BodyReader,
): Promise<void> {
  if (!way) return
  const failure = await askAt(way, known, call, signal, () => accept(way))
  if (!failure) return
  const further =
    isUnknownAddress(failure) || prefersOther(failure)
      ? others.filter(({ base_url }) => base_url === way.base_url || isNoServer(failure))
      : []
  if (further.length === 0) throw isNoServer(failure) ? noServerAt(known.endpoint.base_url, failure) : failure
  await ask(further, known, call, signal, accept)
}

/** Sends the call, without what the server refuses, until the server accepts it. Returns the failure, or null when the answer was read. */
async function askAt(
  { dialect, base_url }: Way,
  { endpoint, learned, waitWhole }: Known,
  call: ModelCall,
  signal: AbortSignal,
  accept: () => BodyReader,
): Promise<ModelError | null> {
  const request = dialect.request(call, { ...endpoint, base_url })
  let body = applyConcessions(request.body, await learned.known())
  for (;;) {
    if (body.stream === false) waitWhole()
    const failure = await send({ ...request, body }, signal, accept)
    if (!failure || ![400, 422].includes(failure.status ?? 0)) return failure
    const eased = concede(body, failure.said)
    if (!eased) return askPlainly({ ...request, body }, { failure, learned }, signal, accept)
    await learned.learn(eased.fact, failure.said)
    body = eased.body
  }
}

/** Tries once without optional parameters when a server does not say what it refuses. Returns the failure, or null when the answer was read. */
async function askPlainly(
  request: WireRequest,
  { failure, learned }: { failure: ModelError; learned: Learned },
  signal: AbortSignal,
  accept: () => BodyReader,
): Promise<ModelError | null> {
  const plain = isVague(failure.said) ? withoutOptional(request.body) : null
  if (!plain) return failure
  const again = await send({ ...request, body: plain.body }, signal, accept)
  if (again) return failure
  for (const fact of plain.facts) await learned.learn(fact, failure.said)
  return null
}

/** Sends the call once. Returns the failure, or null when the answer was read. */
async function send(
  { url, headers, body }: WireRequest,
  signal: AbortSignal,
  accept: () => BodyReader,
): Promise<ModelError | null> {
  let isAccepted = false
  const refusal = await postAndRead({
    ...{ url, body, signal },
    accept: () => {
      isAccepted = true
      return accept()
    },
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'accept-encoding': 'identity',
      ...headers,
    },
  }).catch((error) => {
    throw isAccepted || signal.aborted ? error : unreachable(error)
  })
  return refusal && failureOf(refusal.status, refusal.text, refusal.headers)
}

/** Returns whether the server does not know the address, rather than the model. */
function isUnknownAddress({ status, message }: ModelError): boolean {
  return (
    status === 405 || status === 501 || (status === 404 && !/model["'`\s]|deployment/i.test(said(message)))
  )
}

/** Returns whether the server refuses the API rather than the request: "The Responses API is not supported. Use /v1/chat/completions". */
const prefersOther = ({ status, said }: ModelError): boolean =>
  status === 400 &&
  /responses (?:api|endpoint).{0,40}(?:not (?:yet )?(?:supported|available|enabled)|unsupported)|(?:n['’]t|not) support.{0,20}responses (?:api|endpoint)/i.test(
    said,
  )

/** Returns the server's own words, after our opening words. */
const said = (message: string) => message.split(': ').slice(1).join(': ')
