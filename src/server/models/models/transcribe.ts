import { Buffer } from 'node:buffer'
import { FormData, fetch } from 'undici'
import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { Config } from '../../platform/config/config.ts'
import { readJson } from '../../platform/outbound/foreign/foreign.ts'
import { readAtMost } from '../../platform/outbound/outbound.ts'
import { keyHeaders } from './addresses/key-headers.ts'
import { operationUrl } from './addresses/operation-url.ts'
import { authorize } from './listing/find-offer.ts'
import type { Models } from './models.ts'
import { providerOf } from './provider/providers.ts'

export type Recording = { name: string; media_type: string; bytes: Uint8Array<ArrayBuffer> }

/** Timeout of a transcription, in milliseconds. */
const PATIENCE_MS = 120_000
/** A day of speech has about 1 MB of text. */
const ANSWER_MAX = 4 * 1024 * 1024

const Transcript = z.object({ text: z.string() })

/**
 * Transcribes a recording with the speech engine of the installation: any server with OpenAI's `audio/transcriptions`.
 * @throws AppError `not_available` without one, `provider_failed`
 */
export async function transcribe(
  { models, config }: { models: Models; config: Pick<Config, 'ATRIUM_TRANSCRIPTION_MODEL'> },
  recording: Recording,
): Promise<string> {
  const [provider, ...rest] = (config.ATRIUM_TRANSCRIPTION_MODEL ?? '').split('/')
  const connections = provider ? await models.connections() : []
  const engine = connections.find((one) => one.provider === provider && one.enabled && !one.problem)
  const path = engine && providerOf(engine.kind).speech
  if (!engine || !path) throw new AppError('not_available', 'This server has no speech engine.')
  if (!(await models.mayReceive(`${provider}/`)))
    throw new AppError('class_refused', `${engine.name} may not receive the class of this recording.`)
  const body = new FormData()
  body.append('model', rest.join('/'))
  body.append('file', new Blob([recording.bytes], { type: recording.media_type }), recording.name)
  const headers = keyHeaders(await authorize(engine).catch(failed))
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const url = operationUrl(engine.base_url, path, rest.join('/'))
  const answer = await fetch(url, { method: 'POST', headers, body, signal }).catch(failed)
  const transcript = answer.ok ? Transcript.safeParse(await readTranscript(answer)) : null
  if (!answer.ok) await answer.body?.cancel()
  if (!transcript?.success) throw failure()
  return transcript.data.text.trim()
}

async function readTranscript(answer: Parameters<typeof readAtMost>[0]): Promise<unknown> {
  try {
    return await readJson(await readAtMost(answer, ANSWER_MAX))
  } catch {
    return null
  }
}

function failure(cause?: unknown): AppError {
  return new AppError('provider_failed', 'The speech engine could not write the recording down.', { cause })
}

function failed(cause: unknown): never {
  throw failure(cause)
}

/** Reads a whole stream into memory; recordings are small. */
export async function readWhole(stream: AsyncIterable<Buffer>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return new Uint8Array(Buffer.concat(parts))
}
