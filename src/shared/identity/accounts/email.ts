import * as z from 'zod/mini'
import { parseUrl } from '../../platform/parse-url.ts'
import { atMost } from '../../platform/primitives.ts'

const MAX_LENGTH = 254

/**
 * A mail address in the form it is stored and compared, except for letter case. Only ASCII, so that no two addresses
 * look alike; top-level domains of other scripts are rejected.
 */
export const Email = z.string().check(atMost(MAX_LENGTH), z.overwrite(normalizeAddress), z.email())

/**
 * Normalizes an address for storage: NFKC turns compatibility forms into plain letters, and the domain becomes lower-case
 * ASCII without a trailing dot. Invisible characters remain, so that validation rejects the address.
 */
export function normalizeAddress(text: string): string {
  const plain = text.trim().normalize('NFKC')
  const at = plain.lastIndexOf('@')
  if (at < 0) return plain
  return `${plain.slice(0, at)}@${normalizeDomain(plain.slice(at + 1))}`
}

/** Returns the stored form of an address from a third party; null when it is invalid. */
export function readAddress(text: string | null): string | null {
  const parsed = Email.safeParse(text)
  return parsed.success ? parsed.data : null
}

function normalizeDomain(domain: string): string {
  const undotted = domain.replaceAll('。', '.').replace(/\.$/, '').toLowerCase()
  // Converts only letters, digits and marks of other scripts; other characters would have a meaning in a URL.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(undotted) || /^[\p{ASCII}]*$/u.test(undotted)) return undotted
  return parseUrl(`http://${undotted}`)?.hostname ?? undotted
}
