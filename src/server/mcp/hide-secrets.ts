import type { McpServer } from './address.ts'

/** What is shorter is no secret, and part of many words. */
const SHORTEST = 4
const HIDDEN = '•••'

/** Words of a server without the secrets it was given, should it have said them again. */
export function hideSecrets({ address }: McpServer, said: string): string {
  const given = Object.values(address.kind === 'http' ? address.headers : address.env)
  // Of a header such as `Bearer x` the word in front is no secret.
  const words = given.flatMap((value) => [value, ...value.split(/\s+/).slice(1)])
  const ofAddress = address.kind === 'http' ? [...new URL(address.url).searchParams.values()] : []
  return [...words, ...ofAddress]
    .filter(({ length }) => length >= SHORTEST)
    .sort((one, other) => other.length - one.length)
    .reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), said)
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${HIDDEN}`)
}
