import { createMask } from '../outbound/foreign/mask-secrets.ts'
import type { McpServer } from './address.ts'
import { proxySecrets } from './program-environment.ts'

/** What is shorter is no secret, and part of many words. */
const SHORTEST = 4
/** A word of letters alone may be a setting that every other answer names; a longer one is a secret all the same. */
const SHORTEST_WORD = 12
const HIDDEN = '••••'

/** Words of a server without the secrets it was given, should it have said them again. */
export function hideSecrets(server: McpServer, said: string): string {
  return createMask(allSecrets(server))
    .text(said)
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${HIDDEN}`)
}

/** What must not come back in the answers of a server, `token` of a person included. */
export function secretsIn(address: McpServer['address'], token: string | null = null): string[] {
  const given = [...valuesOf(address), ...(token === null ? [] : [token])]
  return withoutSchemes(given).filter(
    (one) => one.length >= SHORTEST && (one.length >= SHORTEST_WORD || !/^[a-z]+$/i.test(one)),
  )
}

function allSecrets({ address }: McpServer): string[] {
  return withoutSchemes(valuesOf(address)).filter(({ length }) => length >= SHORTEST)
}

function valuesOf(address: McpServer['address']): string[] {
  if (address.kind === 'stdio') return [...Object.values(address.env), ...proxySecrets()]
  return [...Object.values(address.headers), ...new URL(address.url).searchParams.values()]
}

/** Of a header such as `Bearer x` the word in front is no secret; `Basic x` says a name and a password. */
function withoutSchemes(given: readonly string[]): string[] {
  return given.flatMap((value) => {
    const words = value.split(/\s+/).slice(1)
    const pairs = /^basic\s/i.test(value)
      ? words.map((word) => Buffer.from(word, 'base64').toString('utf8'))
      : []
    const passwords = pairs.map((pair) => pair.slice(pair.indexOf(':') + 1))
    return [value, ...words, ...pairs, ...passwords]
  })
}
