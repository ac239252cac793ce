import { createMask } from '../outbound/foreign/mask-secrets.ts'
import type { McpServer } from './address.ts'
import { proxySecrets } from './program-environment.ts'

/** Minimum length of a secret. Shorter values occur in many words. */
const MIN_SECRET_LENGTH = 4
/** Minimum length of a secret of letters only. A shorter one may be an ordinary setting that occurs in many answers. */
const MIN_WORD_LENGTH = 12
const HIDDEN = '••••'

/** Masks the secrets of a server in its own text, in case it repeats them. */
export function hideSecrets(server: McpServer, said: string): string {
  return createMask(allSecrets(server))
    .text(said)
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${HIDDEN}`)
}

/** Returns the values that must not appear in a server's answers, including the person's `token`. */
export function secretsIn(address: McpServer['address'], token: string | null = null): string[] {
  const given = [...valuesOf(address), ...(token === null ? [] : [token])]
  return withoutSchemes(given).filter(
    (one) => one.length >= MIN_SECRET_LENGTH && (one.length >= MIN_WORD_LENGTH || !/^[a-z]+$/i.test(one)),
  )
}

function allSecrets({ address }: McpServer): string[] {
  return withoutSchemes(valuesOf(address)).filter(({ length }) => length >= MIN_SECRET_LENGTH)
}

function valuesOf(address: McpServer['address']): string[] {
  if (address.kind === 'stdio') return [...Object.values(address.env), ...proxySecrets()]
  return [...Object.values(address.headers), ...new URL(address.url).searchParams.values()]
}

/** Splits off the auth scheme, such as `Bearer`, which is not secret. `Basic` contains a name and a password. */
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
