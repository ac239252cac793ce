import * as z from 'zod'
import { ItemRefused } from '../../define-connector.ts'
import { nameOf } from '../../requests/item-names.ts'
import { type JsonRequests, part } from '../../requests/json-requests.ts'
import { titleOf } from './properties.ts'
import { Page, Parent, Rich, textOf } from './requests-to-notion.ts'

/** Deepest page. Pages of a server may contain each other. */
const MAX_DEPTH = 30

const Database = z.object({ title: z.nullish(z.array(Rich)), parent: z.nullish(Parent) })
const Block = z.object({ parent: z.nullish(Parent) })

/** A page or database with its name, or a block, which has none. */
type Ancestor = { name: string | null; parent: Parent | null }

/** Names of the pages and databases above pages, which are asked for once. */
export type Ancestors = {
  note(page: Page): void
  /** Returns the names from the top down. It begins at what the integration may see. */
  above(page: Page): Promise<string[]>
}

export function openAncestors(requests: JsonRequests): Ancestors {
  const known = new Map<string, Promise<Ancestor | null>>()
  const find = (parent: Parent): Promise<Ancestor | null> => {
    const id = parent.page_id ?? parent.database_id ?? parent.block_id
    if (!id) return Promise.resolve(null)
    const load = () =>
      ask(requests, parent).catch((error) => {
        known.delete(id)
        throw error
      })
    const found = known.get(id) ?? load()
    known.set(id, found)
    return found
  }
  return {
    note: (page) => void known.set(page.id, Promise.resolve(ancestorOf(page))),
    above: async (page) => {
      const names: string[] = []
      let one = await find(page.parent)
      for (let depth = 0; one && depth < MAX_DEPTH; depth += 1) {
        if (one.name !== null) names.unshift(one.name)
        one = one.parent && (await find(one.parent))
      }
      return names
    },
  }
}

const ancestorOf = (page: Page): Ancestor => ({ name: nameOf(titleOf(page)), parent: page.parent })

/** Returns null for a page that is not shared with the integration. */
async function ask(
  requests: JsonRequests,
  { page_id, database_id, block_id }: Parent,
): Promise<Ancestor | null> {
  try {
    if (page_id) return ancestorOf(await requests.ask(`pages/${part(page_id)}`, Page, { isFurther: true }))
    if (database_id) {
      const { title, parent } = await requests.ask(`databases/${part(database_id)}`, Database, {
        isFurther: true,
      })
      return { name: nameOf(textOf(title)), parent: parent ?? null }
    }
    const { parent } = await requests.ask(`blocks/${part(block_id ?? '')}`, Block, {
      isFurther: true,
    })
    return { name: null, parent: parent ?? null }
  } catch (error) {
    if (error instanceof ItemRefused) return null
    throw error
  }
}
