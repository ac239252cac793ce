import { MCP_PATH } from '#shared/identity/programs/addresses.ts'
import type { ProgramRequest } from '#shared/identity/programs/programs.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Scope } from '#shared/platform/http.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { assertSignedIn, hashSecret, newSecret } from '../accounts/accounts.ts'
import { findClient } from './client-id.ts'
import { isLoopback } from './redirect-uri.ts'
import { insertCode } from './store.ts'

/** Scopes a program may request, and the default. */
export const programScopes: Scope[] = ['documents.read', 'assistants', 'chat']
/** Lifetime of an authorization code. */
const CODE_MS = 60_000

/** Returns the consent details. @throws AppError `invalid` for an unknown program, address or audience */
export function showRequest(deps: Platform, request: ProgramRequest) {
  const { name } = findClient(deps, request)
  const url = new URL(request.redirect_uri)
  return {
    ...{ name, host: url.host || url.protocol, is_local: isLoopback(url) },
    scopes: scopesOf(deps, request),
    refuse_to: answerTo(deps, request, { error: 'access_denied' }),
  }
}

/** Returns the redirect address with a code. @throws AppError as `showRequest` does, `conflict` */
export async function agree(deps: Platform, user: Caller, request: ProgramRequest): Promise<string> {
  const { name } = findClient(deps, request)
  const scopes = scopesOf(deps, request)
  const code = newSecret()
  const { client_id, redirect_uri, code_challenge: challenge } = request
  const agreed = { user_id: user.id, client_id, client_name: name, redirect_uri, challenge, scopes }
  const now = deps.clock.now()
  const expires_at = new Date(now.getTime() + CODE_MS)
  await deps.db.transaction().execute(async (trx) => {
    await assertSignedIn(trx, user)
    await insertCode(trx, hashSecret(code), agreed, { now, expires_at })
  })
  return answerTo(deps, request, { code })
}

/** @throws AppError `invalid` for what is no resource of this server */
export function assertAudience({ publicUrl }: Pick<Platform, 'publicUrl'>, resource: string | undefined) {
  const isHere = resource === undefined || resource.replace(/\/$/, '') === publicUrl() + MCP_PATH
  if (!isHere) throw new AppError('invalid', 'The program asks for leave at another server than this one.')
}

function scopesOf(deps: Platform, { scope, resource }: ProgramRequest): Scope[] {
  assertAudience(deps, resource)
  const wanted = (scope ?? '').split(' ').filter(Boolean)
  if (wanted.length === 0) return programScopes
  const known = programScopes.filter((one) => wanted.includes(one))
  if (known.length > 0) return known
  throw new AppError('invalid', 'The program asks for nothing that can be given here.')
}

function answerTo(
  { publicUrl }: Pick<Platform, 'publicUrl'>,
  { redirect_uri, state }: ProgramRequest,
  answer: Record<string, string>,
): string {
  const url = new URL(redirect_uri)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  if (state !== undefined) url.searchParams.set('state', state)
  // Names the issuer (RFC 9207), which protects programs with several servers against mix-up.
  url.searchParams.set('iss', publicUrl())
  return url.href
}
