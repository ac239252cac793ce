import { AppError } from '#shared/platform/errors.ts'

const placeholders = /\{([^{}]*)\}/g
/** A scheme, two slashes and a literal host. No input can change the destination of a call. */
const origin = /^https?:\/\/[^/?#\\@{}\s]+(?=[/?#]|$)/i

/**
 * Returns the names in braces in the path of an address. Its origin must not contain any, in any notation.
 * @throws AppError `invalid` with one sentence that says what to change
 */
export function checkAddress(address: string): string[] {
  const named = namesIn(address)
  const plain = fill(address)
  const url = URL.canParse(plain) ? new URL(plain) : null
  if (!url || !/^https?:$/.test(url.protocol) || !/^https?:\/\/[^/\\]/i.test(address))
    throw wrong('The address must begin with https:// or http:// and name a host.')
  // URL parsers drop some of these characters and treat others as slashes.
  if (/[\p{Cc}\\]/u.test(address) || address.trim() !== address)
    throw wrong('The address has a character that is not allowed in addresses.')
  if (url.username || url.password || /^[^/]*\/\/[^/?#]*@/.test(address))
    throw wrong('The address must not contain a password: enter it under Authentication.')
  if (url.hash || address.includes('#')) throw wrong('The address must not have a part after #.')
  const [before = ''] = origin.exec(address) ?? []
  if (before === '' || namesIn(pathOf(address, before)).length < named.length)
    throw wrong('Inputs in braces are only allowed in the path of the address. Add query inputs below.')
  if (/[{}]/.test(plain)) throw wrong('A brace in the address is not closed.')
  return named
}

/** Returns the origin of a call, whatever its inputs. @throws AppError `invalid` */
export function originOf({ address }: { address: string }): string {
  checkAddress(address)
  return new URL(fill(address)).origin
}

/** @throws AppError `invalid` if inputs redirect a call to another origin */
export function assertAtOrigin(call: { address: string }, { origin, username, password }: URL): void {
  if (origin === originOf(call) && username === '' && password === '') return
  throw wrong('The inputs would lead this call to a host other than that of its address.')
}

const namesIn = (text: string) => [...text.matchAll(placeholders)].map(([, name]) => name ?? '')
const fill = (address: string) => address.replace(placeholders, 'x')
const pathOf = (address: string, before: string) => address.slice(before.length).split('?')[0] ?? ''
const wrong = (sentence: string) => new AppError('invalid', sentence)
