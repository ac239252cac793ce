import type { FastifyRequest } from 'fastify'
import type { SignIn } from '#shared/accounts/own-account.ts'
import { AppError } from '#shared/errors.ts'
import type { Caller } from '../../http/serve.ts'
import type { Platform } from '../../platform.ts'
import { endTokenOf, endTokens, listTokens, type Visit } from '../access-token-store.ts'
import { forgetDevices } from '../device-store.ts'
import { readUserAgent } from './read-user-agent.ts'

const longestAgent = 400

/** What a person later recognises a sign-in by. */
export function visitOf(request: FastifyRequest): Visit {
  const userAgent = request.headers['user-agent']?.slice(0, longestAgent) ?? null
  return { address: request.ip.replace(/^::ffff:(?=\d+\.)/i, ''), userAgent }
}

/** Where a person is signed in now: this sign-in first, then the one used last. */
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

/** Ends one sign-in of a person. @throws AppError `not_found` */
export async function endSignIn(deps: Pick<Platform, 'db'>, { id }: Caller, signInId: string): Promise<void> {
  if (!(await endTokenOf(deps, id, signInId)))
    throw new AppError('not_found', 'This sign-in has ended already.')
}

/** Ends the sign-ins of a person, but not the one they ask with when it is to stay, and forgets the browsers they used. */
export async function endSignIns(
  deps: Pick<Platform, 'db'>,
  { id, tokenHash }: Caller,
  { keepsThis, device }: { keepsThis: boolean; device: string | null },
): Promise<void> {
  await endTokens(deps, id, keepsThis ? tokenHash : undefined)
  await forgetDevices(deps, id, keepsThis ? device : null)
}
