import * as z from 'zod'
import type { OidcSettings, TestResult } from '#shared/identity/accounts/sign-on-providers.ts'
import { guardedFetch } from '../../../platform/outbound/guarded-fetch.ts'
import type { Platform } from '../../../platform/platform.ts'
import { describeIssuer } from '../sign-on/openid.ts'
import { TIMEOUT_SECONDS } from '../sign-on/sign-on-service.ts'
import { failed, result, skipped } from './describe-trouble.ts'

type Deps = Pick<Platform, 'outbound'>
type Client = { secret: string | null; callback: string }

const text = z.string().optional().catch(undefined)
/** The description of a provider (OpenID Connect Discovery 1.0, 3). */
const Discovered = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  ...{ userinfo_endpoint: text, end_session_endpoint: text },
})
type Discovered = z.infer<typeof Discovered>
const Keys = z.object({ keys: z.array(z.object({ kid: text, alg: text, kty: z.string() })) })
const MAX_NAMED = 10

/** Tries an issuer: what it says of itself, its keys, and whether it knows the client with its secret. Signs no one in. */
export async function tryOpenId(deps: Deps, settings: OidcSettings, client: Client): Promise<TestResult[]> {
  const { found, said } = await discover(deps, settings)
  if (!said) return [found, ...skipped('keys', 'client')]
  return [found, await readKeys(deps, settings, said), await askAsClient(deps, settings, client)]
}

async function discover(
  deps: Deps,
  settings: OidcSettings,
): Promise<{ found: TestResult; said: Discovered | null }> {
  const { issuer } = settings
  const address = `${issuer.replace(/(?<!\/)\/+$/, '')}/.well-known/openid-configuration`
  const began = performance.now()
  try {
    const answer = await read(deps, settings, address)
    if (!answer.ok) {
      const detail = `${address}: ${answer.status}`
      return { found: result('discovery', 'failed', [], { problem: 'not_found', detail }), said: null }
    }
    const parsed = Discovered.safeParse(await answer.json())
    if (!parsed.success) {
      const detail = parsed.error.issues.map(({ path }) => path.join('.')).join(', ')
      return { found: result('discovery', 'failed', [], { problem: 'not_readable', detail }), said: null }
    }
    const said = parsed.data
    const facts = [
      ['issuer', said.issuer],
      ['authorization', said.authorization_endpoint],
      ['token', said.token_endpoint],
      ['userinfo', said.userinfo_endpoint],
      ['end_session', said.end_session_endpoint],
      ['milliseconds', Math.round(performance.now() - began)],
    ] as const
    if (!isSame(said.issuer, issuer))
      return { found: result('discovery', 'failed', facts, { problem: 'wrong_issuer' }), said: null }
    const lacksLogout = settings.signs_out && !said.end_session_endpoint
    const found = lacksLogout
      ? result('discovery', 'warning', facts, { problem: 'no_sign_out' })
      : result('discovery', 'passed', facts)
    return { found, said }
  } catch (error) {
    return { found: failed('discovery', error), said: null }
  }
}

/** Entra names a placeholder where any tenant may sign in. */
function isSame(said: string, given: string): boolean {
  const plain = (address: string) => address.replace(/(?<!\/)\/+$/, '')
  return (
    plain(said) === plain(given) || (said.includes('{tenantid}') && said.startsWith(new URL(given).origin))
  )
}

async function readKeys(deps: Deps, settings: OidcSettings, said: Discovered): Promise<TestResult> {
  try {
    const { keys } = Keys.parse(await (await read(deps, settings, said.jwks_uri)).json())
    if (keys.length === 0) return result('keys', 'failed', [], { problem: 'no_keys' })
    const names = keys.slice(0, MAX_NAMED).map(({ kid, alg, kty }) => `${kid ?? '–'} (${alg ?? kty})`)
    return result('keys', 'passed', [['keys', names.join(', ')]])
  } catch (error) {
    return error instanceof z.ZodError
      ? result('keys', 'failed', [], { problem: 'no_keys' })
      : failed('keys', error)
  }
}

/** A provider refuses an invented code as such only if it knows the client. */
async function askAsClient(
  deps: Deps,
  settings: OidcSettings,
  { secret, callback }: Client,
): Promise<TestResult> {
  if (!secret) return result('client', 'failed', [], { problem: 'secret_missing' })
  const openid = await import('openid-client')
  try {
    const fetch = guardedFetch(deps.outbound, [settings.issuer], TIMEOUT_SECONDS)
    const { issuer, client_id: id } = settings
    const configuration = await describeIssuer({ issuer, id, authenticate: secret, fetch })()
    const parameters = { code: 'atrium-test', redirect_uri: callback, code_verifier: 'a'.repeat(43) }
    await openid.genericGrantRequest(configuration, 'authorization_code', parameters)
    return result('client', 'warning', [], { problem: 'client_unknown' })
  } catch (error) {
    if (!(error instanceof openid.ResponseBodyError)) return failed('client', error, { secret })
    if (error.error === 'invalid_grant') return result('client', 'passed', [['account', settings.client_id]])
    const detail = new Error([error.error, error.error_description].filter(Boolean).join(': '))
    const isRefused = error.error === 'invalid_client' || error.error === 'unauthorized_client'
    const refused = failed('client', detail, { problem: 'client_refused', secret })
    return isRefused ? refused : { ...refused, state: 'warning', problem: 'client_unknown' }
  }
}

function read({ outbound }: Deps, { issuer }: OidcSettings, address: string) {
  return outbound.fetch(address, {
    ...{ trusted: [issuer], seconds: TIMEOUT_SECONDS, maxBytes: 512 * 1024, maxRedirects: 0 },
    headers: { accept: 'application/json' },
  })
}
