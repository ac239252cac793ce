import { AppError } from '#shared/errors.ts'
import type { OutboundAnswer } from '#shared/outbound.ts'
import type { HttpAuth, HttpCall, SecretValues } from '#shared/own-tools/http-call.ts'
import type { Account } from '../oauth/open-account.ts'
import type { OwnToolDeps } from '../secrets-of.ts'
import { authenticate, forgetToken } from './authenticate.ts'
import { hostOf } from './shape-answer.ts'
import { writeRequest } from './write-request.ts'

type Deps = Pick<OwnToolDeps, 'outbound' | 'clock' | 'config'>
/** `account`: that of the person, where each has one of their own. */
type Who = { auth: HttpAuth; secrets: SecretValues; account: Account | null }

/** Redirects a call may take. */
const REDIRECTS = 3

/** Makes a call. @throws AppError as `outbound.fetch` does, and for a secret that is missing or a token nobody gives */
export async function sendCall(
  deps: Deps,
  call: HttpCall,
  values: Record<string, unknown>,
  who: Who,
  signal?: AbortSignal,
): Promise<OutboundAnswer> {
  const answer = await send(deps, call, values, who, signal)
  if (answer.status !== 401 || !who.account) return answer
  // Nothing was done: a service may end a token before its time.
  await who.account.renew()
  return send(deps, call, values, who, signal)
}

async function send(
  deps: Deps,
  call: HttpCall,
  values: Record<string, unknown>,
  { auth, secrets, account }: Who,
  signal?: AbortSignal,
): Promise<OutboundAnswer> {
  const written = await authenticate(deps, writeRequest(call, values), auth, secrets, account, signal)
  const { url, method, headers, body } = written
  const answer = await deps.outbound.fetch(url, {
    ...{ method, headers, ...(body === null ? {} : { body }) },
    ...{ seconds: call.seconds, mostRedirects: REDIRECTS, trusted: deps.config.ATRIUM_TOOLS_PRIVATE },
    ...(auth.kind === 'api_key' && { secretHeaders: [auth.name.toLowerCase()] }),
    ...(signal && { signal }),
  })
  if (answer.status === 401 && auth.kind === 'oauth2_client') forgetToken(auth, secrets)
  return hideSecrets(answer, [...Object.values(secrets), headers.authorization?.split(' ')[1] ?? ''])
}

/** Shorter ones are words that may stand anywhere. */
const SECRET_LEAST = 6

/** Some services say back what they were sent: nobody who uses a tool reads its secrets. */
function hideSecrets(answer: OutboundAnswer, secrets: string[]): OutboundAnswer {
  const hidden = secrets.filter(({ length }) => length >= SECRET_LEAST)
  const text = () => hidden.reduce((text, secret) => text.replaceAll(secret, '••••'), answer.text())
  return { ...answer, text }
}

/** Characters of what a service says of its refusal. */
const REASON_MOST = 500

/** @throws AppError `not_available` for a refused key, `unavailable` for every other refusal */
export function assertAccepted(answer: OutboundAnswer, auth: HttpAuth): void {
  const { ok, status } = answer
  if (ok) return
  const host = hostOf(answer)
  if (status === 401 && auth.kind === 'oauth2_user')
    throw new AppError('not_available', `${host} refused your account (401). Connect it anew.`)
  if (status === 401 && auth.kind !== 'none')
    throw new AppError(
      'not_available',
      `${host} refused the secret of this tool (401). Its owner replaces it.`,
    )
  if (status >= 300 && status < 400)
    throw new AppError('unavailable', `${host} answered ${status} without a place to go on.`)
  const isPage = /html/i.test(answer.headers.get('content-type') ?? '')
  const reason = isPage ? '' : answer.text().trim().slice(0, REASON_MOST).toWellFormed()
  throw new AppError('unavailable', `${host} answered ${status}${reason ? `: ${reason}` : '.'}`)
}
