/** Programs on a person's machine that take answers under a scheme of their own, beside those that name a domain (RFC 8252, 7.1). */
const schemes = ['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:', 'claude:', 'zed:', 'raycast:']
const ofDomain = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/

/** Whether a program may be answered there: over TLS, on the machine of its person, or under a scheme of its own. */
export function isGoodRedirect(address: string): boolean {
  const url = URL.parse(address)
  if (!url || address.includes('#') || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  if (url.protocol === 'http:') return isLoopback(url)
  return schemes.includes(url.protocol) || ofDomain.test(url.protocol)
}

/** Whether an address is the one that was named; on one's own machine with any port (RFC 8252, 7.3). */
export function isRedirectTo(known: string, asked: string): boolean {
  if (known === asked) return true
  const [one, other] = [URL.parse(known), URL.parse(asked)]
  if (!one || !other || one.protocol !== 'http:' || !isLoopback(one)) return false
  one.port = other.port
  return isGoodRedirect(asked) && one.href === other.href
}

/** `127.0.0.1` and its names, which lead nowhere but to the machine itself. */
export const isLoopback = ({ hostname }: Pick<URL, 'hostname'>) =>
  hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
