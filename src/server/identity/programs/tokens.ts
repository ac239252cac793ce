import { createHash, timingSafeEqual } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Scope } from '#shared/platform/http.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Platform } from '../../platform/platform.ts'
import { hashSecret, newSecret } from '../accounts/accounts.ts'
import { actorById, changed, writeAudit } from '../audit/audit.ts'
import { OAuthError } from './oauth-error.ts'
import {
  endProgram,
  insertProgram,
  insertTokens,
  lockCode,
  lockToken,
  markCode,
  markToken,
  prolongProgram,
} from './store.ts'

/** Prefixes of program tokens, by which leaked ones can be recognised. */
export const ACCESS_PREFIX = 'atp_'
const REFRESH_PREFIX = 'atpr_'
export const ACCESS_SECONDS = 3_600
const REFRESH_MS = 30 * 86_400_000

export type Tokens = {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}
type Trx = Kysely<Tables>
/** Failures are returned, so that their changes commit before the error is thrown. */
type Outcome = { tokens: Tokens } | { failure: OAuthError }

export type CodeRequest = { code: string; client_id: string; redirect_uri: string; code_verifier: string }

/** Exchanges a code for tokens once. Reuse revokes the tokens issued for it. @throws OAuthError */
export function exchangeCode(deps: Platform, request: CodeRequest, address: string): Promise<Tokens> {
  const hash = hashSecret(request.code)
  return committed(deps, async (trx) => {
    const now = deps.clock.now()
    const code = await lockCode(trx, hash)
    if (!code || code.client_id !== request.client_id) return refuse('The code is not known, or not yours.')
    if (code.used_at !== null) {
      if (code.key_id) await end(trx, code.key_id, now, address)
      return refuse('The code was used before: what was made of it has ended.')
    }
    if (code.expires_at <= now) return refuse('The code came too late. Connect again.')
    if (code.redirect_uri !== request.redirect_uri)
      return refuse('The code was asked for at another address.')
    if (!isVerifier(request.code_verifier, code.challenge))
      return refuse('The verifier does not fit the code.')
    const { user_id, client_name: name, scopes } = code
    const kept = { secret_hash: hashSecret(newSecret()), hint: ACCESS_PREFIX }
    const keyId = await insertProgram(
      trx,
      { user_id, name, scopes, ...kept },
      now,
      new Date(now.getTime() + REFRESH_MS),
    )
    await markCode(trx, hash, keyId, now)
    const tokens = await makeTokens(trx, { keyId, clientId: code.client_id, scopes }, now)
    const { actor, companyId } = await actorById(trx, user_id, address)
    const changes = changed('scopes', null, scopes.join(', '))
    const done = { did: 'key.created' as const, subject: name, subjectId: keyId, changes }
    await writeAudit(trx, now, { ...done, actor, companyId })
    return { tokens }
  })
}

/** Exchanges a refresh token once. Reuse disconnects the program. @throws OAuthError */
export function refreshTokens(
  deps: Platform,
  { refresh_token, client_id }: { refresh_token: string; client_id: string },
  address: string,
): Promise<Tokens> {
  const hash = hashSecret(refresh_token)
  return committed(deps, async (trx) => {
    const now = deps.clock.now()
    const token = await lockToken(trx, hash)
    if (token?.kind !== 'refresh' || token.client_id !== client_id || token.revoked_at !== null)
      return refuse('The refresh token is not known, or not yours.')
    if (token.used_at !== null) {
      await end(trx, token.key_id, now, address)
      return refuse('The refresh token was used before: the program is disconnected.')
    }
    const until = new Date(now.getTime() + REFRESH_MS)
    if (token.expires_at <= now || !(await prolongProgram(trx, token.key_id, until)))
      return refuse('The refresh token has ended. Connect again.')
    await markToken(trx, hash, now)
    const owner = { keyId: token.key_id, clientId: client_id, scopes: token.scopes }
    return { tokens: await makeTokens(trx, owner, now) }
  })
}

/** Disconnects the program of a token. Unknown tokens are ignored (RFC 7009). */
export async function giveBack(
  deps: Platform,
  token: string,
  clientId: string,
  address: string,
): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const found = await lockToken(trx, hashSecret(token))
    if (found?.client_id === clientId) await end(trx, found.key_id, deps.clock.now(), address)
  })
}

async function committed(deps: Platform, act: (trx: Trx) => Promise<Outcome>): Promise<Tokens> {
  const outcome = await deps.db.transaction().execute(act)
  if ('failure' in outcome) throw outcome.failure
  return outcome.tokens
}

const refuse = (text: string): Outcome => ({ failure: new OAuthError('invalid_grant', text) })

async function end(trx: Trx, keyId: string, now: Date, address: string): Promise<void> {
  const ended = await endProgram(trx, keyId, now)
  if (!ended) return
  const { actor, companyId } = await actorById(trx, ended.user_id, address)
  const done = { did: 'key.revoked' as const, subject: ended.name, subjectId: keyId }
  await writeAudit(trx, now, { ...done, actor, companyId })
}

type Owner = { keyId: string; clientId: string; scopes: Scope[] }

async function makeTokens(trx: Trx, { keyId: key_id, clientId: client_id, scopes }: Owner, now: Date) {
  const access = ACCESS_PREFIX + newSecret()
  const refresh = REFRESH_PREFIX + newSecret()
  const ends = (ms: number) => new Date(now.getTime() + ms)
  const whose = { key_id, client_id }
  await insertTokens(trx, [
    { ...whose, kind: 'access', token_hash: hashSecret(access), expires_at: ends(ACCESS_SECONDS * 1000) },
    { ...whose, kind: 'refresh', token_hash: hashSecret(refresh), expires_at: ends(REFRESH_MS) },
  ])
  return {
    ...{ access_token: access, token_type: 'Bearer' as const, expires_in: ACCESS_SECONDS },
    ...{ refresh_token: refresh, scope: scopes.join(' ') },
  }
}

/** Returns whether a verifier matches a challenge (RFC 7636, S256). */
function isVerifier(verifier: string, challenge: string): boolean {
  const made = Buffer.from(createHash('sha256').update(verifier).digest('base64url'))
  const known = Buffer.from(challenge)
  return made.length === known.length && timingSafeEqual(made, known)
}
