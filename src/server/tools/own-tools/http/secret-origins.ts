import type { HttpAuth } from '#shared/tools/own-tools/http-call.ts'
import { originOf } from './check-address.ts'

/** The address of a call, or of the server of a set of calls, and its authentication. */
type Sends = { address: string; auth: HttpAuth }

/** Returns the addresses of a sign-in service. */
export function addressesOf(auth: HttpAuth): string[] {
  const ofPeople = auth.kind === 'oauth2_user' ? [auth.authorize_url, auth.revoke_url].filter(Boolean) : []
  return 'token_url' in auth ? [auth.token_url, ...ofPeople] : ofPeople
}

/** Returns whether changed calls send secrets only to origins that received them before the change. */
export function staysAtOrigins(before: Sends, after: Sends): boolean {
  const known = originsOf(before)
  return originsOf(after).every((origin) => known.includes(origin))
}

const originsOf = ({ address, auth }: Sends): string[] =>
  [address, ...addressesOf(auth)].map((one) => originOf({ address: one }))
