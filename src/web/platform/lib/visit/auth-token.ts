import { EMBED_PAGE, EMBED_PREFIX } from '#shared/chat/embeds/addresses.ts'
import { getToken } from '../me/token.ts'
import { keepEmbedToken } from './visit.ts'

declare global {
  interface Window {
    /** The `authToken` of the page's address, removed by the inline script. */
    authToken?: string
  }
}

type Address = { pathname: string; search: string }

/**
 * Removes an `authToken` from an address. The author of a link chooses it, so it never signs a person in: only tokens of
 * embedded assistants are accepted, and only if no one is signed in or on the embed page.
 * @returns the address without it, or null if there was none
 */
export function takeAuthToken(
  { pathname, search }: Address,
  given = new URLSearchParams(search).get('authToken'),
): string | null {
  if (given === null) return null
  const query = new URLSearchParams(search)
  query.delete('authToken')
  const isTaken = given.startsWith(EMBED_PREFIX) && (pathname === EMBED_PAGE || getToken() === null)
  if (isTaken) keepEmbedToken(given)
  const rest = query.toString()
  return (isTaken ? EMBED_PAGE : pathname) + (rest && `?${rest}`)
}

/** Does the same for the page's address, before anything else can read or log it. */
export function takeAuthTokenOfPage(): void {
  const href = takeAuthToken(location, window.authToken)
  delete window.authToken
  if (href !== null) history.replaceState(history.state, '', href + location.hash)
}
