import * as z from 'zod/mini'
import { parseUrl } from '../../platform/parse-url.ts'
import { atMost } from '../../platform/primitives.ts'

/** Hosts that a content security policy can name; it cannot name IPv6 addresses. */
const plain = /^https?:\/\/[a-z0-9.-]{1,190}(:\d{1,5})?$/

/** An origin: `https://` and a host, without a path. `http` serves local machines and networks without certificates. */
export const Origin = z.string().check(
  atMost(200),
  z.refine((text) => originOf(text) === text, 'must be a site as https://example.com'),
)

/** Returns the origin of an address, or null when it cannot be allowed. */
export function originOf(text: string): string | null {
  const origin = parseUrl(text.trim())?.origin
  return origin && plain.test(origin) ? origin : null
}
