import { connect, isIP, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import { assertPublicHost } from './fetchable.ts'
import { lookupPublic } from './lookup-public.ts'

/** A host without brackets, and a port. */
export type Receiver = { host: string; port: number; isSecure: boolean }

/**
 * Connects to a host and port, with TLS when it is secure. Private addresses are refused after name resolution, except those that `trusted`
 * names with their port. The socket fails like any other: `PrivateHost` is its error for a refused address.
 * @throws PrivateHost for a literal private address
 */
export function connectGuarded({ host, port, isSecure }: Receiver, trusted: readonly string[]): Socket {
  const isTrusted = isTrustedReceiver({ host, port }, trusted)
  if (!isTrusted) assertPublicHost({ hostname: host })
  const to = { host, port, ...(isTrusted ? {} : { lookup: lookupPublic }) }
  return isSecure ? connectSecure({ ...to, ...(isIP(host) ? {} : { servername: host }) }) : connect(to)
}

/** Returns whether an allowed web address names this host and port. */
export function isTrustedReceiver(
  { host, port }: Pick<Receiver, 'host' | 'port'>,
  trusted: readonly string[],
): boolean {
  return trusted.some((one) => {
    const { hostname, port: named, protocol } = new URL(one)
    const usual = protocol === 'https:' ? 443 : 80
    return hostname.replace(/^\[|\]$/g, '') === host && Number(named || usual) === port
  })
}
