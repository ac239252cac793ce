import { AppError } from '#shared/platform/errors.ts'

const placeholders = /\{([^{}]*)\}/g
/** A scheme, two slashes and a host that is written out: no input decides where a call goes. */
const origin = /^https?:\/\/[^/?#\\@{}\s]+(?=[/?#]|$)/i

/**
 * The names in braces in the path of an address. Its origin has none, however it is written.
 * @throws AppError `invalid` with one sentence that says what to change
 */
export function checkAddress(address: string): string[] {
  const named = namesIn(address)
  const plain = fill(address)
  const url = URL.canParse(plain) ? new URL(plain) : null
  if (!url || !/^https?:$/.test(url.protocol) || !/^https?:\/\/[^/\\]/i.test(address))
    throw wrong('The address must begin with https:// or http:// and name a host.')
  // Readers of addresses drop some of these, and take others for slashes.
  if (/[\p{Cc}\\]/u.test(address) || address.trim() !== address)
    throw wrong('The address has a character that addresses cannot have.')
  if (url.username || url.password || /^[^/]*\/\/[^/?#]*@/.test(address))
    throw wrong('The address must hold no password: put it into Authentication.')
  if (url.hash || address.includes('#')) throw wrong('The address must not have a part after #.')
  const [before = ''] = origin.exec(address) ?? []
  if (before === '' || namesIn(pathOf(address, before)).length < named.length)
    throw wrong('Inputs in braces may stand in the path of the address only. Add those of the query below.')
  if (/[{}]/.test(plain)) throw wrong('A brace in the address is not closed.')
  return named
}

/** Where a call goes, whatever its inputs. @throws AppError `invalid` */
export function originOf({ address }: { address: string }): string {
  checkAddress(address)
  return new URL(fill(address)).origin
}

/** @throws AppError `invalid` when inputs lead a call elsewhere than its address says */
export function assertAtOrigin(call: { address: string }, { origin, username, password }: URL): void {
  if (origin === originOf(call) && username === '' && password === '') return
  throw wrong('The inputs would lead this call to another host than its address names.')
}

const namesIn = (text: string) => [...text.matchAll(placeholders)].map(([, name]) => name ?? '')
const fill = (address: string) => address.replace(placeholders, 'x')
const pathOf = (address: string, before: string) => address.slice(before.length).split('?')[0] ?? ''
const wrong = (sentence: string) => new AppError('invalid', sentence)
