import { randomUUID } from 'node:crypto'
import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { signMessage } from '../../platform/signatures/signatures.ts'
import { receiverOf } from './receiver.ts'
import type { StreamRow } from './store.ts'
import type { StreamedEntry } from './streamed-store.ts'
import { sendSyslog, writeSyslog, writeTest } from './syslog.ts'

/** Seconds that a receiver may take for one batch. */
const SECONDS = 15
const ANSWER_BYTES = 64 * 1024
const MAX_ERROR_CHARACTERS = 300

export type SendDeps = Pick<Platform, 'clock' | 'outbound' | 'secrets' | 'config' | 'publicUrl'>
type Target = Pick<StreamRow, 'address' | 'secret' | 'previous_secret' | 'previous_until'>

/** `waitMs` is the pause that the receiver asked for. */
export type Failure = { error: string; waitMs: number }

/** Sends entries in one request or connection. Returns null once the receiver confirmed them. @throws when `signal` aborts */
export function sendBatch(
  deps: SendDeps,
  target: Target,
  entries: readonly StreamedEntry[],
  signal: AbortSignal,
): Promise<Failure | null> {
  const numbers = `${entries[0]?.sequence}_${entries.at(-1)?.sequence}`
  const body = entries.map(({ text }) => `${text}\n`).join('')
  return send(
    deps,
    target,
    { id: `audit_${numbers}`, body, messages: (host) => writeSyslog(entries, host) },
    signal,
  )
}

/** Sends a record that is no entry of the log. Returns null once the receiver confirmed it. */
export function sendTest(deps: SendDeps, target: Target, signal: AbortSignal): Promise<Failure | null> {
  const at = deps.clock.now()
  const text = JSON.stringify({ test: true, at: at.toISOString() })
  const id = `audit_test_${randomUUID()}`
  return send(deps, target, { id, body: `${text}\n`, messages: (host) => writeTest(at, host, text) }, signal)
}

type Batch = { id: string; body: string; messages: (host: string) => Buffer }

async function send(
  { clock, outbound, secrets, config, publicUrl }: SendDeps,
  { address, secret, previous_secret, previous_until }: Target,
  { id, body, messages }: Batch,
  signal: AbortSignal,
): Promise<Failure | null> {
  const trusted = config.ATRIUM_TOOLS_PRIVATE
  const at = clock.now()
  try {
    const receiver = receiverOf(address)
    if (receiver.kind !== 'https') {
      const { hostname } = new URL(publicUrl())
      await sendSyslog(messages(hostname), receiver, { trusted, signal, ms: SECONDS * 1_000 })
      return null
    }
    const isKept = previous_secret !== null && previous_until !== null && previous_until > at
    const keys = [secret, ...(isKept ? [previous_secret] : [])].map(secrets.open)
    const { ok, status, headers } = await outbound.fetch(receiver.url, {
      ...{ method: 'POST', body, signal, seconds: SECONDS, maxBytes: ANSWER_BYTES, maxRedirects: 0, trusted },
      headers: { 'content-type': 'application/x-ndjson', ...signMessage({ id, at, body }, keys) },
    })
    return ok
      ? null
      : { error: `The receiver answered ${status}.`, waitMs: readPause(headers.get('retry-after'), at) }
  } catch (error) {
    // The process is stopping. Another one sends the entries.
    if (signal.aborted) throw error
    return { error: explain(error).slice(0, MAX_ERROR_CHARACTERS), waitMs: 0 }
  }
}

/** Reads `Retry-After`: seconds or a date (RFC 9110 10.2.3). Returns milliseconds. */
function readPause(value: string | null, now: Date): number {
  if (value === null) return 0
  const seconds = Number(value)
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(value) - now.getTime()
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}

function explain(error: unknown): string {
  if (error instanceof AppError) return error.detail ?? error.message
  if (!(error instanceof Error)) return 'The receiver could not be reached.'
  return (
    error.message ||
    `The receiver could not be reached (${'code' in error ? String(error.code) : error.name}).`
  )
}
