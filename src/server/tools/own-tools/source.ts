import { readUser } from '../../identity/accounts/accounts.ts'
import type { Person } from '../../platform/access/access.ts'
import type { LoadedTool, ToolSource } from '../tools/tools.ts'
import { createKinds } from './kinds.ts'
import { makeTool } from './make-tool.ts'
import type { OwnToolDeps } from './secrets-of.ts'
import { findTool, listTools, type StoredTool } from './store.ts'

/** Maximum tools listed for a person; others are found by id. */
const MAX_LISTED = 500

/** Provides tools made by people, for `createTools`. */
export function createToolSource(deps: OwnToolDeps): ToolSource {
  const kinds = createKinds(deps)
  const make = (stored: StoredTool, userId: string): LoadedTool[] => {
    const kind = kinds[stored.kind]
    if (!kind) return []
    try {
      return [makeTool(kind, stored, userId)]
    } catch (error) {
      // A tool that an update can no longer read does not affect the others.
      deps.log.warn({ error, tool: stored.id }, 'A stored tool cannot be read.')
      return []
    }
  }
  const readPerson = async (userId: string): Promise<Person> => ({
    kind: 'user',
    ...(await readUser(deps, userId)),
  })
  return {
    load: async (userId) => {
      const stored = await listTools(deps.db, await readPerson(userId), MAX_LISTED)
      return stored.flatMap((one) => make(one, userId))
    },
    find: async (id, userId, version) => {
      const stored = await findTool(deps.db, await readPerson(userId), id, version)
      return (stored && make(stored, userId)[0]) ?? null
    },
  }
}
