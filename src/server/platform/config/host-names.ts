import { isIP } from 'node:net'

/** Returns whether a host name or address always means this machine. IPv6 has brackets, as in a URL. */
export function isLoopbackName(name: string): boolean {
  const plain = unbracketed(name)
  return plain === 'localhost' || plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}

/** Returns the lower-case host name of a URL, with IPv6 in brackets; null if it has none. */
export function nameOf(url: string): string | null {
  const name = URL.parse(url)?.hostname.replace(/\.$/, '')
  return name ? name : null
}

/** Removes the brackets around an IPv6 address. */
export const unbracketed = (name: string) => name.replace(/^\[|\]$/g, '')
