/**
 * Takes an `authToken` out of a query string. The writer of a link chooses what stands in it: taken, it would sign
 * its reader in as somebody else. It is meant for tokens of embedded assistants, none of which are given out: nobody
 * is signed in.
 * @returns the search without it, or null when there was none.
 */
export function dropAuthToken(search: string): string | null {
  const query = new URLSearchParams(search)
  if (!query.has('authToken')) return null
  query.delete('authToken')
  const rest = query.toString()
  return rest ? `?${rest}` : ''
}

/** The same for the address the page was opened with, before anything else can read or log it. */
export function dropAuthTokenFromPage(): void {
  const search = dropAuthToken(location.search)
  if (search !== null) history.replaceState(history.state, '', location.pathname + search + location.hash)
}
