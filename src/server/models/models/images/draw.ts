import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionKind } from '#shared/models/connections/provider-form.ts'
import { ModelError, type Usage } from '../port.ts'
import { providerOf } from '../provider/providers.ts'
import { atItsBase } from '../wire/at-its-base.ts'
import type { Endpoint } from '../wire/dialect.ts'
import { failureOf, isPassing, sentenceFor, unreachable, waitWanted } from '../wire/failures.ts'
import { openGate, passGate } from '../wire/gate.ts'
import type { Drawn, DrawWish, ImageRequest, ImageWire } from './image-wire.ts'
import { readBounded } from './read-image.ts'

/** Timeout of one image in milliseconds. The slowest models document up to two minutes. */
const PATIENCE_MS = 240_000
const REFUSAL_MAX = 64 * 1024
/** Delay before a busy provider is asked again, in milliseconds, when it names none. */
const PAUSE_MS = 2_000

/** Makes one image. Retries once when the provider is busy. @throws ModelError; the reason of `signal` */
export async function draw(
  connection: Endpoint & { kind: ConnectionKind },
  model: string,
  wish: DrawWish,
  signal: AbortSignal,
  show: (bytes: Uint8Array) => void,
  gate = openGate(connection),
): Promise<Drawn> {
  const { images, address } = providerOf(connection.kind)
  if (!images) throw new ModelError('not_available', sentenceFor('not_available'))
  const { wire } = images
  const ask = () =>
    passGate(gate, signal, (through) =>
      atItsBase(address.version, through, (endpoint) =>
        askOnce(wire, wire.request(model, wish, endpoint), signal, show),
      ),
    )
  try {
    return await ask()
  } catch (error) {
    const isBusy = error instanceof ModelError && ['rate_limited', 'overloaded'].includes(error.kind)
    if (!isBusy || !isPassing(error)) throw error
    await sleep(waitWanted(error) ?? PAUSE_MS, undefined, { signal })
    return ask()
  }
}

async function askOnce(
  wire: ImageWire,
  { url, ...request }: ImageRequest,
  signal: AbortSignal,
  show: (bytes: Uint8Array) => void,
): Promise<Drawn> {
  const late = AbortSignal.timeout(PATIENCE_MS)
  try {
    const answer = await fetch(url, { method: 'POST', ...request, signal: AbortSignal.any([signal, late]) })
    if (!answer.ok) {
      const said = new TextDecoder().decode(await readBounded(answer, REFUSAL_MAX))
      throw failureOf(answer.status, said, Object.fromEntries(answer.headers))
    }
    const drawn = await wire.read(answer, show)
    return { ...drawn, usage: drawn.usage ?? unknownUsage }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ModelError) throw error
    throw late.aborted ? new ModelError('timeout', sentenceFor('timeout')) : unreachable(error)
  }
}

const unknownUsage: Usage = {
  ...{ input_tokens: 0, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0 },
  estimated: true,
}
