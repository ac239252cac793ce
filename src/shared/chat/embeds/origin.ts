import * as z from 'zod/mini'
import { atMost } from '../../platform/primitives.ts'

/** A name or an address in numbers, as a policy of browsers can name it: IPv6 cannot be. */
const plain = /^https?:\/\/[a-z0-9.-]{1,190}(:\d{1,5})?$/

/** A site as browsers name it: `https://`, a host and no path. `http` stands for a machine of one's own, or a house without certificates. */
export const Origin = z.string().check(
  atMost(200),
  z.refine((text) => originOf(text) === text, 'must be a site as https://example.com'),
)

/** The site of an address, or null when it has none that could be allowed. */
export function originOf(text: string): string | null {
  const origin = URL.parse(text.trim())?.origin
  return origin && plain.test(origin) ? origin : null
}
