/** Returns the query string of search values; undefined ones are left out. */
export function stringifySearch(search: object): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given).toString()
  return text ? `?${text}` : ''
}
