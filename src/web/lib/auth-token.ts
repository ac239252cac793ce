import { getToken, setToken } from './token.ts'

/**
 * Takes an `authToken` (a token for embedding) out of a query string. It becomes the token when there is none yet.
 * @returns the search without it, or null when there was none.
 */
export function takeAuthToken(search: string): string | null {
  const query = new URLSearchParams(search)
  const given = query.get('authToken')
  if (given === null) return null
  if (given && !getToken()) setToken(given)
  query.delete('authToken')
  const rest = query.toString()
  return rest ? `?${rest}` : ''
}

/** The same for the address the page was opened with, before anything else can read or log it. */
export function takeAuthTokenFromPage(): void {
  const search = takeAuthToken(location.search)
  if (search !== null) history.replaceState(history.state, '', location.pathname + search + location.hash)
}
