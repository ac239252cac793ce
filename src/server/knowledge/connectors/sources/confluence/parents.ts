import * as z from 'zod'
import { ItemRefused } from '../../define-connector.ts'
import { nameOf } from '../../requests/item-names.ts'
import { type JsonRequests, part } from '../../requests/json-requests.ts'

/** Deepest page. Pages of a server may contain each other. */
const MAX_DEPTH = 30
const BATCH = 250

const Parent = z.object({
  id: z.string(),
  title: z.nullish(z.string()),
  spaceId: z.nullish(z.string()),
  parentId: z.nullish(z.string()),
  parentType: z.nullish(z.string()),
})
type Parent = z.infer<typeof Parent>
const Parents = z.object({ results: z.array(Parent) })

/** Things that contain pages, by the names of their lists. Those of a second group are asked for one by one. */
const lists: Record<string, string> = { page: 'pages', blogpost: 'blogposts' }
const single: Record<string, string> = {
  ...{ folder: 'folders', whiteboard: 'whiteboards', database: 'databases', embed: 'embeds' },
}

type Wanted = { id: string | null | undefined; type: string | null | undefined }

/** The pages and folders above pages, which are asked for once. */
export type Parents = {
  note(page: Parent): void
  /** Reads what is not known yet, up to the top. */
  find(wanted: readonly Wanted[]): Promise<void>
  /** Returns the names from the top down to this one, this one included. */
  pathOf(id: string | null | undefined): string[]
  spaceOf(id: string | null | undefined): string | null
}

export function openParents(requests: JsonRequests): Parents {
  /** Null for one that the token cannot read. */
  const known = new Map<string, Parent | null>()
  const above = (id: string | null | undefined) => (id ? known.get(id) : null)
  return {
    note: (page) => void known.set(page.id, page),
    find: async (wanted) => {
      for (let level = 0, next = [...wanted]; next.length > 0 && level < MAX_DEPTH; level += 1) {
        const unknown = new Map(next.flatMap(({ id, type }) => (id && !known.has(id) ? [[id, type]] : [])))
        const found = await ask(requests, unknown)
        for (const id of unknown.keys()) known.set(id, null)
        for (const one of found) known.set(one.id, one)
        next = next.flatMap(({ id }) => {
          const parent = above(id)
          return parent?.parentId ? [{ id: parent.parentId, type: parent.parentType }] : []
        })
      }
    },
    pathOf: (id) => {
      const path: string[] = []
      for (let one = above(id); one && path.length < MAX_DEPTH; one = above(one.parentId))
        path.unshift(nameOf(one.title))
      return path
    },
    spaceOf: (id) => above(id)?.spaceId ?? null,
  }
}

async function ask(
  requests: JsonRequests,
  unknown: ReadonlyMap<string, string | null | undefined>,
): Promise<Parent[]> {
  const found: Parent[] = []
  for (const [type, list] of Object.entries(lists)) {
    const ids = [...unknown].filter(([, one]) => (one ?? 'page') === type).map(([id]) => id)
    for (let at = 0; at < ids.length; at += BATCH) {
      const query = { id: ids.slice(at, at + BATCH).join(','), limit: BATCH }
      found.push(...(await requests.ask(`api/v2/${list}`, Parents, { query, isFurther: true })).results)
    }
  }
  for (const [id, type] of unknown) {
    const list = single[type ?? '']
    if (!list) continue
    try {
      found.push(await requests.ask(`api/v2/${list}/${part(id)}`, Parent, { isFurther: true }))
    } catch (error) {
      // A token may lack the scope for folders; their pages are then shown above them.
      if (!(error instanceof ItemRefused)) throw error
    }
  }
  return found
}
