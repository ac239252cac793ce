import type { Kysely } from 'kysely'
import * as z from 'zod'
import type { AccountOutcome } from '#shared/tools/own-tools/accounts.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { createTokenFetch } from '../../../platform/outbound/oauth/client-auth.ts'
import { askForAccess, exchangeCode } from '../../../platform/outbound/oauth/oauth.ts'
import { createFetch, type Service } from '../../../platform/outbound/oauth/oauth-service.ts'
import type { OwnToolDeps } from '../secrets-of.ts'
import { findAccount, removeAccount, type Whose } from './account-store.ts'
import { type Kept, open } from './open-account.ts'

const VISIT_MS = 10 * 60_000

/** A person's visit to a sign-in service. It is sealed into the `state` that the service returns. */
export const Visit = z.object({
  ...{ setId: z.string(), userId: z.string() },
  /** Binds it to the browser it began in. */
  browser: z.string(),
  /** The page to return to. */
  back: z.string(),
  callback: z.string(),
  verifier: z.string(),
  until: z.number(),
})
export type Visit = z.infer<typeof Visit>

/** Returns the address where a person authorizes access. @throws AppError `not_available` */
export async function beginVisit(
  { clock, secrets }: Pick<OwnToolDeps, 'clock' | 'secrets'>,
  service: Service,
  about: Omit<Visit, 'verifier' | 'until'>,
): Promise<string> {
  const { page, verifier } = await askForAccess(service, about.callback)
  const visit: Visit = { ...about, verifier, until: clock.now().getTime() + VISIT_MS }
  page.searchParams.set('state', secrets.seal(JSON.stringify(visit)))
  return page.href
}

/** Returns the visit from which a browser returns; null for a state not sealed here. */
export function readVisit({ secrets }: Pick<OwnToolDeps, 'secrets'>, state: string): Visit | null {
  try {
    return Visit.parse(JSON.parse(secrets.open(state)))
  } catch {
    return null
  }
}

type Brought = { code: string; error: string; iss: string | undefined; browser: string | null }

/** Gets the tokens when a person's browser returns. Returns them sealed, or the outcome. */
export async function endVisit(
  deps: OwnToolDeps,
  visit: Visit,
  { service, origins }: { service: Service | null; origins: string[] },
  { code, error, iss, browser }: Brought,
): Promise<Exclude<AccountOutcome, 'connected'> | { sealed: string }> {
  if (visit.browser !== browser || visit.until <= deps.clock.now().getTime()) return 'expired'
  if (error === 'access_denied') return 'refused'
  if (!service || code === '') return 'failed'
  try {
    const returned = { code, verifier: visit.verifier, callback: visit.callback, iss }
    const { tokens, method } = await exchangeCode(deps, service, returned, deps.config.ATRIUM_TOOLS_PRIVATE)
    const kept: Kept = { service: { ...service, method }, origins, ...tokens }
    return { sealed: deps.secrets.seal(JSON.stringify(kept)) }
  } catch (error) {
    deps.log.warn({ error, set: visit.setId }, 'An account could not be connected.')
    return 'failed'
  }
}

/** Deletes a person's account and revokes it at its service. Returns whether the service confirmed. */
export async function disconnect(
  deps: OwnToolDeps,
  whose: Whose,
  note: (trx: Kysely<Tables>, service: Service) => Promise<void>,
): Promise<boolean> {
  const row = await findAccount(deps.db, whose)
  if (!row) return true
  await deps.db.transaction().execute(async (trx) => {
    await removeAccount(trx, row.id)
    await note(trx, open(deps, row.sealed).service)
  })
  return revoke(deps, open(deps, row.sealed))
}

/** RFC 7009: revoking a refresh token also revokes its access tokens. */
async function revoke(
  { outbound, config }: OwnToolDeps,
  { service, access, refresh }: Kept,
): Promise<boolean> {
  if (service.revoke === null) return false
  const fetchFn = createTokenFetch(service, createFetch(outbound, config.ATRIUM_TOOLS_PRIVATE))
  const body = new URLSearchParams({ token: refresh ?? access })
  const answer = await fetchFn(service.revoke, { method: 'POST', body }).catch(() => null)
  await answer?.body?.cancel()
  return answer?.ok ?? false
}
