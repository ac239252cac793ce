import type { HttpAuth, HttpCall, SecretValues } from '#shared/tools/own-tools/http-call.ts'
import { type Account, openAccount } from '../oauth/open-account.ts'
import { serviceOfAuth } from '../oauth/service-of-auth.ts'
import type { OwnToolDeps } from '../secrets-of.ts'
import { originOf } from './check-address.ts'

type Use = { call: Pick<HttpCall, 'address'>; auth: HttpAuth; secrets: SecretValues; userId: string }

/** Returns the account for a call; null if its tool requires no personal accounts. @throws as `openAccount` does */
export async function accountFor(
  deps: OwnToolDeps,
  { id, set_id: setId }: { id: string; set_id: string },
  { call, auth, secrets, userId }: Use,
): Promise<Account | null> {
  if (auth.kind !== 'oauth2_user') return null
  return openAccount(deps, {
    ...{ setId, userId, service: serviceOfAuth(auth, secrets), origin: originOf(call) },
    page: `${deps.publicUrl()}/tools/${id}`,
  })
}
