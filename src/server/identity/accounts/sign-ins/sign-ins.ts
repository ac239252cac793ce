import type { FastifyRequest } from 'fastify'
import type { SignIn } from '#shared/identity/accounts/own-account.ts'
import { plainAddress } from '#shared/identity/networks/ip.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Caller } from '../../../platform/http/serve.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type Audit, changed } from '../../audit/audit.ts'
import { forgetDevices } from '../device-store.ts'
import { endTokenOf, endTokens, listTokens, type Visit } from '../tokens/access-token-store.ts'
import { nameDevice, readUserAgent } from './read-user-agent.ts'

const longestAgent = 400

/** Returns the details by which users recognise a sign-in. */
export function visitOf(request: FastifyRequest): Visit {
  const userAgent = request.headers['user-agent']?.slice(0, longestAgent) ?? null
  return { address: plainAddress(request.ip), userAgent }
}

/** Returns the device name of a request. */
export const deviceOf = (request: FastifyRequest) => nameDevice(visitOf(request).userAgent)

/** Returns a user's sign-ins: the current one first, then by last use. */
export async function listSignIns(
  deps: Pick<Platform, 'db' | 'clock'>,
  { id, tokenHash }: Caller,
): Promise<SignIn[]> {
  const tokens = await listTokens(deps, id)
  const items = tokens.map((token) => ({
    id: token.id,
    ...readUserAgent(token.user_agent),
    address: token.address,
    created_at: token.created_at.toISOString(),
    last_used_at: token.last_used_at.toISOString(),
    current: token.token_hash.equals(tokenHash),
  }))
  return items.toSorted((a, b) => Number(b.current) - Number(a.current))
}

/** Ends one sign-in. @throws AppError `not_found` */
export async function endSignIn(
  { db }: Pick<Platform, 'db'>,
  { id }: Caller,
  signInId: string,
  audit: Audit,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await endTokenOf({ db: trx }, id, signInId)))
      throw new AppError('not_found', 'This sign-in has ended already.')
    await audit(trx, { did: 'session.ended', subject: '', subjectId: signInId })
  })
}

/** Ends a user's sign-ins, optionally except the current one, and forgets their devices. */
export async function endSignIns(
  { db }: Pick<Platform, 'db'>,
  { id, tokenHash }: Caller,
  { keepsThis, device }: { keepsThis: boolean; device: string | null },
  audit: Audit,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await endTokens({ db: trx }, id, keepsThis ? tokenHash : undefined)
    await forgetDevices({ db: trx }, id, keepsThis ? device : null)
    const changes = changed('sign-ins', null, keepsThis ? 'all others' : 'all')
    await audit(trx, { did: 'session.ended', subject: '', changes })
  })
}
