/** Known programs with their own URI scheme, besides schemes named after a domain (RFC 8252, 7.1). */
const schemes = ['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:', 'claude:', 'zed:', 'raycast:']
const ofDomain = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/

/** Returns whether a redirect address is allowed: over TLS, on the user's machine, or under a private scheme. */
export function isGoodRedirect(address: string): boolean {
  const url = URL.parse(address)
  if (!url || address.includes('#') || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  if (url.protocol === 'http:') return isLoopback(url)
  return schemes.includes(url.protocol) || ofDomain.test(url.protocol)
}

/** Returns whether an address is the registered one; loopback addresses may use any port (RFC 8252, 7.3). */
export function isRedirectTo(known: string, asked: string): boolean {
  if (known === asked) return true
  const [one, other] = [URL.parse(known), URL.parse(asked)]
  if (!one || !other || one.protocol !== 'http:' || !isLoopback(one)) return false
  one.port = other.port
  return isGoodRedirect(asked) && one.href === other.href
}

/** Returns whether a host is a loopback address. */
export const isLoopback = ({ hostname }: Pick<URL, 'hostname'>) =>
  hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
