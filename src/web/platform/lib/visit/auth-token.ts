import { EMBED_PAGE, EMBED_PREFIX } from '#shared/chat/embeds/addresses.ts'
import { getToken } from '../me/token.ts'
import { keepEmbedToken } from './visit.ts'

declare global {
  interface Window {
    /** The `authToken` of the address the page was opened with, which its first script took out. */
    authToken?: string
  }
}

type Address = { pathname: string; search: string }

/**
 * Takes an `authToken` out of an address. The writer of a link chooses what stands in it, so it signs nobody in as somebody: only
 * a token of an embedded assistant is taken, and only where nobody is signed in or on the page of such assistants.
 * @returns where one is without it, or null when there was none.
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

/** The same for the address the page was opened with, before anything else can read or log it. */
export function takeAuthTokenOfPage(): void {
  const href = takeAuthToken(location, window.authToken)
  delete window.authToken
  if (href !== null) history.replaceState(history.state, '', href + location.hash)
}
