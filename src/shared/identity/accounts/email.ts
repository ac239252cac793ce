import * as z from 'zod/mini'
import { atMost } from '../../platform/primitives.ts'

const MAX_LENGTH = 254

/**
 * A mail address in the one form in which it is stored and compared, apart from the case of its letters. It is ASCII alone, so that
 * no two look alike; a top-level domain of another script is not accepted.
 */
export const Email = z.string().check(atMost(MAX_LENGTH), z.overwrite(normalizeAddress), z.email())

/**
 * Writes an address as it is stored: compatibility forms become plain letters (NFKC), the domain becomes lower-case ASCII without
 * a dot at its end. Characters that cannot be seen stay, so that the address is refused.
 */
export function normalizeAddress(text: string): string {
  const plain = text.trim().normalize('NFKC')
  const at = plain.lastIndexOf('@')
  if (at < 0) return plain
  return `${plain.slice(0, at)}@${normalizeDomain(plain.slice(at + 1))}`
}

/** The stored form of an address that somebody else claims for a person; null when it is none. */
export function readAddress(text: string | null): string | null {
  const parsed = Email.safeParse(text)
  return parsed.success ? parsed.data : null
}

function normalizeDomain(domain: string): string {
  const undotted = domain.replaceAll('。', '.').replace(/\.$/, '').toLowerCase()
  // Only letters, digits and marks of other scripts are translated; anything else would mean something in a URL.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(undotted) || /^[\p{ASCII}]*$/u.test(undotted)) return undotted
  return URL.parse(`http://${undotted}`)?.hostname ?? undotted
}
