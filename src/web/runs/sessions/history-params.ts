type Search = Record<string, unknown>

/** Keeps the filter of the history in the address from view to view; navigation sets it to undefined to remove it. */
export function keepFilter({ search, next }: { search: Search; next: (search: Search) => Search }): Search {
  return { chats: search.chats, chat_tags: search.chat_tags, ...next(search) }
}

/** Returns the query string of an address; undefined values are left out. */
export function stringifySearch(search: Search): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined) as [string, string][]
  const text = new URLSearchParams(given).toString()
  return text ? `?${text}` : ''
}
