import { Resolver } from 'node:dns/promises'
import type { DnsProblem } from '#shared/identity/accounts/domains.ts'

/** Time limit of the whole lookup, including retries. */
const LOOKUP_MS = 6_000
const recordName = (domain: string) => `_atrium.${domain}`
const recordValue = (token: string) => `atrium-verification=${token}`

/** Returns the TXT record that proves a domain. */
export const recordOf = ({ domain, token }: { domain: string; token: string }) => ({
  name: recordName(domain),
  value: recordValue(token),
})

/** Looks up the DNS record. Returns null when a TXT record has exactly the value, else the reason. */
export async function checkRecord(
  servers: readonly string[],
  claim: { domain: string; token: string },
): Promise<DnsProblem | null> {
  const { name, value } = recordOf(claim)
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), LOOKUP_MS)
  try {
    // Long TXT records arrive in chunks of 255 bytes.
    const texts = (await resolver.resolveTxt(name)).map((pieces) => pieces.join('').trim())
    return texts.includes(value) ? null : 'different'
  } catch (error) {
    const isAbsent =
      error instanceof Error && 'code' in error && /^(ENOTFOUND|ENODATA)$/.test(`${error.code}`)
    return isAbsent ? 'missing' : 'unreachable'
  } finally {
    clearTimeout(timer)
  }
}
