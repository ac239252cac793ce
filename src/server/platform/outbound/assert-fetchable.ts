import { lookup } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertPublicAddresses, assertPublicHost, parseAddress } from './fetchable.ts'

/** Lookup timeout. A slower name is checked only when it is fetched. */
const LOOKUP_MS = 3_000

/**
 * Checks an address before it is stored, by the rule for later fetches. A name that cannot be resolved now is accepted.
 * @throws AppError `invalid` for an address that would never be fetched
 */
export async function assertFetchable(address: string, trusted: readonly string[]): Promise<void> {
  const url = parseAddress(address)
  if (trusted.some((one) => new URL(one).origin === url.origin)) return
  assertPublicHost(url)
  const late = new AbortController()
  const found = await Promise.race([
    lookup(url.hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []),
    sleep(LOOKUP_MS, [], { signal: late.signal }).catch(() => []),
  ])
  late.abort()
  assertPublicAddresses(url.hostname, found)
}
