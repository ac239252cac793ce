import { isIP } from 'node:net'

/** Whether a name or address, as it stands in an address, only ever means this machine. */
export function isLoopbackName(name: string): boolean {
  const plain = unbracketed(name)
  return plain === 'localhost' || plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}

/** The host name of an address in lower case, IPv6 in brackets; null when it has none. */
export function nameOf(url: string): string | null {
  const name = URL.parse(url)?.hostname.replace(/\.$/, '')
  return name ? name : null
}

/** An address without the brackets that IPv6 has in a URL. */
export const unbracketed = (name: string) => name.replace(/^\[|\]$/g, '')
