import { isIP } from 'node:net'
import { AppError } from '#shared/platform/errors.ts'
import { isPrivateAddress } from './private-address.ts'

/** @throws AppError `invalid` */
export function parseAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) {
    throw new AppError(
      'invalid',
      'Only addresses that begin with http:// or https://, without a name or password before the host, can be fetched.',
    )
  }
  return url
}

/**
 * Names that are reserved for this machine or the local network (RFC 6761, RFC 6762, RFC 8375, and `internal` by ICANN), and names
 * without a dot, which only a local search domain completes.
 */
const LOCAL_NAME = /(^|\.)(localhost|localdomain|local|internal|home\.arpa)\.?$|^[^.:]+\.?$/

/** @throws PrivateHost. A literal IP address is never resolved. The URL parser has turned 0x7f.1 and 2130706433 into 127.0.0.1. */
export function assertPublicHost({ hostname }: Pick<URL, 'hostname'>): void {
  const host = hostname.replace(/^\[|\]$/g, '')
  if ((isIP(host) && isPrivateAddress(host)) || LOCAL_NAME.test(host)) throw new PrivateHost(hostname)
}

/** A host that leads to a private address, where no setting allows it. */
export class PrivateHost extends AppError {
  readonly host: string

  constructor(host: string) {
    super('invalid', `${host} is not an address of the public internet.`)
    this.host = host
  }
}

/** @throws PrivateHost when any address of a name is private */
export function assertPublicAddresses(host: string, found: readonly { address: string }[]): void {
  if (found.some(({ address }) => isPrivateAddress(address))) throw new PrivateHost(host)
}
