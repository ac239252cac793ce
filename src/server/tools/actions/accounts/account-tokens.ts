import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { toolError } from '#shared/tools/tools/tool-errors.ts'
import { isFresh, refreshTokens, renewOnce, Tokens } from '../../../platform/outbound/oauth/oauth.ts'
import { isSameService, Service } from '../../../platform/outbound/oauth/oauth-service.ts'
import type { SignedRequests } from '../providers/signed-account.ts'
import type { AccountDeps } from './account-deps.ts'
import {
  findAccount,
  holdAccount,
  removeAccount,
  type StoredAccount,
  type Whose,
  writeSealed,
} from './personal-account-store.ts'
import { findSignInService, trustedOf } from './sign-in-services.ts'

/** The sealed tokens of an account, with the service and the client that they are for. */
export const KeptTokens = z.object({
  service: Service,
  ...Tokens.shape,
  /** Facts that the service named when the account was connected. */
  facts: z.optional(z.record(z.string(), z.string())),
})
export type KeptTokens = z.infer<typeof KeptTokens>

/**
 * Signs requests with the tokens of a person's account.
 * @throws AppError `not_connected` when the sign-in has ended, or another account took its place
 */
export function createTokens(
  deps: AccountDeps,
  { address, ...whose }: Whose & { address: string },
): SignedRequests {
  const sealedOf = (row: StoredAccount | undefined) => (row?.address === address ? row.sealed : undefined)
  const read = async () => {
    const service = findSignInService(whose.kind).serviceOf(deps.config)
    const kept = open(deps, sealedOf(await findAccount(deps.db, whose)))
    if (!service || !kept || !isSameService(kept.service, service)) throw signedOut()
    return { service, kept }
  }
  const renew = async (service: Service, refused: string) => {
    const access = await renewOnce<KeptTokens>(
      deps.db,
      {
        key: `personal ${whose.userId} ${whose.kind}`,
        hold: async (trx) => open(deps, sealedOf(await holdAccount(trx, whose))),
        refresh: (kept) =>
          refreshTokens(deps, { ...service, method: kept.service.method }, kept, trustedOf(service)),
        write: (trx, kept) => writeSealed(trx, whose, deps.secrets.seal(JSON.stringify(kept))),
        end: async (trx) => void (await removeAccount(trx, whose)),
      },
      refused,
    )
    if (access === null) throw signedOut()
    return access
  }
  return {
    facts: async () => (await read()).kept.facts ?? {},
    fetch: async (url, request) => {
      const { service, kept } = await read()
      const trusted = findSignInService(whose.kind).trusted(deps.config)
      const send = (token: string) =>
        deps.outbound.fetch(url, {
          ...{ ...request, trusted, maxRedirects: 0 },
          headers: { ...request.headers, authorization: `Bearer ${token}` },
        })
      const token = isFresh(deps, kept) ? kept.access : await renew(service, kept.access)
      const answer = await send(token)
      // A refused token means that the service did nothing.
      return answer.status === 401 ? send(await renew(service, token)) : answer
    },
  }
}

const signedOut = () => new AppError('not_connected', toolError('no_account'))

/** Returns null without tokens, and for those that were sealed with another key. */
function open({ secrets }: Pick<AccountDeps, 'secrets'>, sealed: string | undefined): KeptTokens | null {
  if (sealed === undefined) return null
  try {
    return KeptTokens.parse(JSON.parse(secrets.open(sealed)))
  } catch {
    return null
  }
}
