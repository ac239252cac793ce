import { cleanCharacters } from '../../../platform/db/db.ts'
import type { Listing } from '../../../platform/mcp/mcp.ts'

/** Maximum duplicate names shown. */
const MAX_TWINS = 20

/**
 * Returns a listing with unique names of tools, prompts and resources. The first of each name stays. Items whose names have
 * no storable characters are omitted. `twins` are the duplicate names.
 */
export function withoutTwins(listing: Listing): { listing: Listing; twins: string[] } {
  const twins = new Set<string>()
  const keepFirst = <Item>(
    items: readonly Item[],
    nameOf: (item: Item) => string,
    rename: (item: Item, name: string) => Item,
  ) => {
    const seen = new Set<string>()
    return items.flatMap((item) => {
      const name = cleanCharacters(nameOf(item))
      if (seen.has(name)) twins.add(name)
      if (name === '' || seen.has(name)) return []
      seen.add(name)
      return [rename(item, name)]
    })
  }
  const tools = keepFirst(listing.tools, ({ name }) => name, named)
  const prompts = keepFirst(listing.prompts, ({ name }) => name, named)
  const resources = keepFirst(
    listing.resources,
    ({ uri }) => uri,
    (resource, uri) => ({ ...resource, uri }),
  )
  const gone = [
    listing.tools.length - tools.length,
    listing.prompts.length - prompts.length,
    listing.resources.length - resources.length,
  ]
  const left = gone.reduce((sum, count) => sum + count, listing.left)
  return { listing: { ...listing, tools, prompts, resources, left }, twins: [...twins].slice(0, MAX_TWINS) }
}

const named = <Item extends { name: string }>(item: Item, name: string): Item => ({ ...item, name })
