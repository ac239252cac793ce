import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { tryJson } from '../../../platform/outbound/foreign/foreign.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'

const MAX_TOKEN = 10_000
/** Difference of clocks in seconds. */
const SKEW_S = 300
/** The keys are read again after a day, and for an unknown key, at most once a minute. */
const KEYS_MS = 86_400_000
const MIN_MS = 60_000

const Head = z.object({ alg: z.literal('RS256'), kid: z.string().min(1) })
const Claims = z.object({
  iss: z.string(),
  aud: z.string(),
  exp: z.number(),
  nbf: z.number().optional(),
  serviceurl: z.string().optional(),
  serviceUrl: z.string().optional(),
})
const Metadata = z.object({ issuer: z.string(), jwks_uri: z.string() })
const Keys = z.object({
  keys: z.array(
    z.looseObject({ kid: z.string(), kty: z.string(), endorsements: z.array(z.string()).optional() }),
  ),
})
type Key = z.infer<typeof Keys>['keys'][number]
type Issuer = { issuer: string; keys: Key[]; readAt: number }

export type Expected = {
  /** Address of the issuer's metadata. */
  metadata: string
  audience: string
  serviceUrl: string
  /** The service must be endorsed by the key. */
  service: string
  now: Date
}

/** Checks tokens of the Bot Framework against the keys of their issuer. */
export type VerifyToken = (token: string, expected: Expected) => Promise<void>

export function createVerifyToken(outbound: Pick<Outbound, 'fetch'>): VerifyToken {
  const issuers = new Map<string, Issuer>()
  const read = async (metadata: string, kid: string): Promise<Issuer> => {
    const known = issuers.get(metadata)
    const age = known ? Date.now() - known.readAt : Number.POSITIVE_INFINITY
    const isKnown = known?.keys.some((key) => key.kid === kid) ?? false
    if (known && age < (isKnown ? KEYS_MS : MIN_MS)) return known
    const fresh = await readIssuer(outbound, metadata)
    issuers.set(metadata, fresh)
    return fresh
  }
  return async (token, expected) => {
    const [head = '', body = '', signature = '', ...more] = token.length > MAX_TOKEN ? [] : token.split('.')
    const named = Head.safeParse(decoded(head))
    const claims = Claims.safeParse(decoded(body))
    if (!named.success || !claims.success || more.length > 0)
      throw refused('is no token of the Bot Framework')
    const { issuer, keys } = await read(expected.metadata, named.data.kid)
    const key = keys.find(({ kid, kty }) => kid === named.data.kid && kty === 'RSA')
    if (!key || !isSigned(key, `${head}.${body}`, signature)) throw refused('is not signed by its issuer')
    if (key.endorsements && !key.endorsements.includes(expected.service))
      throw refused('is signed for another service')
    assertClaims(claims.data, issuer, expected)
  }
}

/** @throws AppError `wrong_credentials` */
function assertClaims(claims: z.infer<typeof Claims>, issuer: string, expected: Expected): void {
  const now = expected.now.getTime() / 1000
  if (claims.iss !== issuer) throw refused('comes from another issuer')
  if (claims.aud !== expected.audience) throw refused('is for another application')
  if (claims.exp < now - SKEW_S || (claims.nbf ?? 0) > now + SKEW_S) throw refused('has expired')
  if ((claims.serviceurl ?? claims.serviceUrl) !== expected.serviceUrl)
    throw refused('is for another service address')
}

export const refused = (why: string) => new AppError('wrong_credentials', `The token of the event ${why}.`)

const decoded = (part: string) => tryJson(Buffer.from(part, 'base64url'))

function isSigned(key: Key, text: string, signature: string): boolean {
  try {
    const publicKey = createPublicKey({ key: key as JsonWebKey, format: 'jwk' })
    return verify('RSA-SHA256', Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}

/** The metadata is an administrator's setting. Its keys are at the same host, or a public address. */
async function readIssuer(outbound: Pick<Outbound, 'fetch'>, metadata: string): Promise<Issuer> {
  const ask = async (url: string) =>
    (await outbound.fetch(url, { trusted: [metadata], maxBytes: 1024 * 1024 })).json()
  const found = Metadata.safeParse(await ask(metadata))
  if (!found.success) throw new AppError('unavailable', 'The metadata of the issuer cannot be read.')
  const keys = Keys.safeParse(await ask(found.data.jwks_uri))
  if (!keys.success) throw new AppError('unavailable', 'The keys of the issuer cannot be read.')
  return { issuer: found.data.issuer, keys: keys.data.keys, readAt: Date.now() }
}
