import * as z from 'zod/mini'
import { text } from '../../platform/primitives.ts'

/** Maximum entries of a list of senders. */
export const MAX_SENDERS = 50
const MAX_SENDER_CHARACTERS = 254

const PATTERN = /^[^\s@<>,:;()"]*@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i

/** Returns whether a text is an address such as `ada@example.com`, or a domain such as `@example.com`. */
export function isSender(value: string): boolean {
  return value.length <= MAX_SENDER_CHARACTERS && PATTERN.test(value)
}

/** People who may write to an address: an address, or all addresses of a domain such as `@example.com`. */
export const Senders = z
  .array(text(3, MAX_SENDER_CHARACTERS).check(z.refine(isSender, 'is no address and no domain')))
  .check(z.maxLength(MAX_SENDERS))

/** Returns whether an address, in lower case, is on a list of senders. */
export function isSenderOf(senders: readonly string[], address: string): boolean {
  const domain = address.slice(address.lastIndexOf('@'))
  return senders.some((one) => {
    const allowed = one.toLowerCase()
    return allowed === address || allowed === domain
  })
}
