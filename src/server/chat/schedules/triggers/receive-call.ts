import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { type CallData, MAX_CALL_AGE_S } from '#shared/chat/schedules/triggers.ts'
import { AppError } from '#shared/platform/errors.ts'
import { assertTurn, countedAddress, takeTurn } from '../../../identity/accounts/accounts.ts'
import { cleanCharacters } from '../../../platform/db/db.ts'
import { bodyBytes } from '../../../platform/http/bodies/request-body.ts'
import { findSigner } from '../../../platform/signatures/signatures.ts'
import type { Deps } from '../../../tools/deps.ts'
import { readNow } from '../limit-store.ts'
import { type Delivered, deliver } from './deliver.ts'
import { insertRefused } from './delivery-store.ts'
import { maskHeaders } from './masks.ts'
import { readSecret } from './secret-store.ts'

/** Characters of an id, which are printable. */
const FOREIGN_ID = /^[\x21-\x7e]{1,200}$/

/**
 * Accepts a signed call (Standard Webhooks 1.0). Refused calls are logged without their body.
 * @throws AppError `wrong_credentials` for a wrong signature or an old timestamp, `rate_limited`, and as `deliver`
 */
export async function receiveCall(
  deps: Deps,
  scheduleId: string,
  request: FastifyRequest,
  data: CallData,
): Promise<Delivered> {
  const address = countedAddress(request.ip)
  await assertTurn(deps, 'trigger_address', address)
  const foreign_id = headerOf(request, 'webhook-id')
  const headers = maskHeaders(request.headers)
  const call = { kind: 'call' as const, foreign_id, headers }
  try {
    const signed_by = await assertSigned(deps, scheduleId, request)
    if (!isUtf8(bodyBytes(request))) throw new AppError('malformed', 'The request body is not UTF-8.')
    return await deliver(deps, scheduleId, { ...call, signed_by, replay_of: null, data })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'wrong_credentials') await takeTurn(deps, 'trigger_address', address)
    const { status, detail } = error
    const shown = cleanCharacters(foreign_id).slice(0, 200)
    await insertRefused(deps.db, { ...call, foreign_id: shown, schedule_id: scheduleId, status, detail })
    throw error
  }
}

async function assertSigned(
  { db, secrets }: Deps,
  scheduleId: string,
  request: FastifyRequest,
): Promise<'present' | 'previous'> {
  const id = headerOf(request, 'webhook-id')
  const timestamp = headerOf(request, 'webhook-timestamp')
  const found = await readSecret(db, scheduleId)
  const valid = found
    ? [found.secret, ...(found.previous_until && found.previous_secret ? [found.previous_secret] : [])]
    : []
  const signature = headerOf(request, 'webhook-signature')
  const message = { id, timestamp, signature, bytes: bodyBytes(request) }
  const signer = findSigner(
    message,
    valid.map((sealed) => secrets.open(sealed)),
  )
  // An unknown address is refused like a wrong signature.
  if (signer < 0 || !FOREIGN_ID.test(id) || !/^\d{1,12}$/.test(timestamp))
    throw new AppError(
      'wrong_credentials',
      'The signature does not fit. Check the secret and the headers webhook-id, webhook-timestamp and webhook-signature.',
    )
  const age = Math.abs((await readNow(db)).getTime() / 1000 - Number(timestamp))
  if (age > MAX_CALL_AGE_S)
    throw new AppError('wrong_credentials', 'The timestamp is more than five minutes from now.')
  return signer === 0 ? 'present' : 'previous'
}

function headerOf({ headers }: FastifyRequest, name: string): string {
  return String(headers[name] ?? '')
}
