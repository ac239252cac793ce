import { AppError } from '#shared/platform/errors.ts'
import type { HttpAuth, HttpCall, SecretValues } from '#shared/tools/own-tools/http-call.ts'
import { createMask } from '../../../platform/outbound/foreign/mask-secrets.ts'
import type { Account } from '../oauth/open-account.ts'
import { sayPrivate } from '../say-private.ts'
import type { OwnToolDeps } from '../secrets-of.ts'
import { authenticate, forgetToken } from './authenticate.ts'
import { beginningOf, hostOf, type SecretAnswer } from './shape-answer.ts'
import { type WrittenRequest, writeRequest } from './write-request.ts'

type Deps = Pick<OwnToolDeps, 'outbound' | 'clock' | 'config'>
/** `account`: the person's account, if each person has one. */
type Who = { auth: HttpAuth; secrets: SecretValues; account: Account | null }

/** Maximum redirects of a call. */
const MAX_REDIRECTS = 3

/** Executes a call. @throws AppError as `outbound.fetch` does, for a missing secret, and if no token is available */
export async function sendCall(
  deps: Deps,
  call: HttpCall,
  values: Record<string, unknown>,
  who: Who,
  signal?: AbortSignal,
): Promise<SecretAnswer> {
  const answer = await send(deps, call, values, who, signal)
  if (answer.status !== 401 || !who.account) return answer
  // Nothing was executed: a service may revoke a token early.
  await who.account.renew()
  return send(deps, call, values, who, signal)
}

async function send(
  deps: Deps,
  call: HttpCall,
  values: Record<string, unknown>,
  { auth, secrets, account }: Who,
  signal?: AbortSignal,
): Promise<SecretAnswer> {
  const written = await authenticate(deps, writeRequest(call, values), auth, secrets, account, signal)
  const { url, method, headers, body } = written
  const hidden = secretsIn(secrets, written)
  try {
    const answer = await deps.outbound.fetch(url, {
      ...{ method, headers, ...(body === null ? {} : { body }) },
      ...{ seconds: call.seconds, maxRedirects: MAX_REDIRECTS, trusted: deps.config.ATRIUM_TOOLS_PRIVATE },
      ...(signal && { signal }),
    })
    if (answer.status === 401 && auth.kind === 'oauth2_client') forgetToken(auth, secrets)
    return { ...answer, secrets: hidden }
  } catch (failure) {
    const error = sayPrivate(failure)
    // A redirect address may contain values that the service received.
    if (!(error instanceof AppError)) throw error
    throw new AppError(error.code, createMask(hidden).text(error.detail), { cause: error })
  }
}

/** Names are not secret, and short ones occur in many answers. */
const PLAIN_NAMES = new Set(['username', 'client_id'])
const MIN_NAME = 6

/** Returns the secrets sent to a service. Its answer must not reveal them to users of the tool. */
function secretsIn(secrets: SecretValues, { headers }: WrittenRequest): string[] {
  const own = Object.entries(secrets).flatMap(([name, value]) =>
    PLAIN_NAMES.has(name) && value.length < MIN_NAME ? [] : [value],
  )
  const { username, password, client_id, client_secret } = secrets
  const pairs = [
    [username, password],
    [client_id, client_secret],
  ].flatMap(([name, secret]) => (name && secret ? [`${name}:${secret}`] : []))
  const token = headers.authorization?.split(' ').slice(1).join(' ')
  return [...own, ...pairs, ...(token ? [token] : [])]
}

/** Maximum characters of a service's reason for a refusal. */
const MAX_REASON_CHARACTERS = 500

/** @throws AppError `not_available` for a refused key, `unavailable` for any other refusal */
export function assertAccepted(answer: SecretAnswer, auth: HttpAuth): void {
  const { ok, status } = answer
  if (ok) return
  const host = hostOf(answer)
  if (status === 401 && auth.kind === 'oauth2_user')
    throw new AppError('not_available', `${host} refused your account (401). Connect it again.`)
  if (status === 401 && auth.kind !== 'none')
    throw new AppError(
      'not_available',
      `${host} refused the secret of this tool (401). Its owner must replace it.`,
    )
  if (status >= 300 && status < 400)
    throw new AppError('unavailable', `${host} answered ${status} without an address to redirect to.`)
  const isPage = /html/i.test(answer.headers.get('content-type') ?? '')
  const reason = isPage ? '' : beginningOf(answer, MAX_REASON_CHARACTERS).trim()
  throw new AppError('unavailable', `${host} answered ${status}${reason ? `: ${reason}` : '.'}`)
}
