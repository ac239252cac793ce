import type { ConnectionKind } from '#shared/models/connections/provider-form.ts'
import { ModelError, type TextRole } from '../port.ts'
import { providerOf } from '../provider/providers.ts'
import { askForJson, noAnswer } from '../wire/ask-json.ts'
import { atItsBase } from '../wire/at-its-base.ts'
import type { Endpoint } from '../wire/dialect.ts'
import { sentenceFor } from '../wire/failures.ts'
import { openGate, passGate } from '../wire/gate.ts'

const bounds = {
  /** A local model may have to load first. */
  patienceMs: 120_000,
  /** Maximum bytes of one answer as JSON: 256 vectors of 4,096 numbers have 24 MB. */
  answerMax: 64 * 1024 * 1024,
  isVectors: true,
}

/**
 * Returns one vector per text, all of one length, in order. Splits the texts into as many requests as the provider needs, and asks for
 * vectors of `dimensions` where they are given. Calls `told` with the usage of each request.
 * @throws ModelError; the reason of `signal` once it is aborted
 */
export async function embed(
  connection: Endpoint & { kind: ConnectionKind },
  model: string | { name: string; dimensions?: number | undefined },
  texts: string[],
  signal: AbortSignal,
  role: TextRole = 'passage',
  told?: (tokens: number | null, texts: string[]) => void,
  gate = openGate(connection),
): Promise<number[][]> {
  const { name, dimensions } = typeof model === 'string' ? { name: model, dimensions: undefined } : model
  const record = providerOf(connection.kind)
  const wire = record.embeddings?.wire(connection.base_url, name)
  if (!wire) throw new ModelError('not_available', sentenceFor('not_available', 'it offers no embeddings'))
  const requestOf = async (some: string[], endpoint: Endpoint) => {
    const { body, ...request } = wire.request(name, some, endpoint, role)
    const sized = { ...request, body: dimensions === undefined ? body : wire.shorten(body, dimensions) }
    return record.sign ? record.sign(sized, endpoint) : sized
  }
  const vectors: number[][] = []
  for (let from = 0; from < texts.length; from += wire.textsMax) {
    const some = texts.slice(from, from + wire.textsMax)
    const answer = await passGate(gate, signal, (through) =>
      atItsBase(record.address.version, through, async (endpoint) =>
        askForJson(await requestOf(some, endpoint), bounds, signal),
      ),
    )
    told?.(wire.used(answer), some)
    const read = wire.read(answer)
    if (read.length !== some.length) throw noAnswer(`${read.length} vectors for ${some.length} texts`)
    vectors.push(...read.map(asVector))
  }
  if (vectors.some(({ length }) => length !== vectors[0]?.length))
    throw noAnswer('its vectors differ in length')
  return vectors
}

function asVector(value: unknown): number[] {
  if (value instanceof Float64Array) return Array.from(value)
  if (typeof value === 'string') return asVector(decodeFloats(value))
  if (Array.isArray(value) && value.length > 0 && value.every(Number.isFinite)) return value
  // llama.cpp lists the vectors of each token, one when it pools them.
  if (Array.isArray(value) && value.length === 1 && typeof value[0] === 'object') return asVector(value[0])
  throw noAnswer('a vector is missing')
}

/** Decodes 32-bit numbers in base64, which some servers send whatever they are asked for. */
function decodeFloats(text: string): number[] {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length % 4 !== 0) throw noAnswer('a vector is cut')
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4))
}
