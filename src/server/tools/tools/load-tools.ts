import { existsSync, readdirSync } from 'node:fs'
import * as z from 'zod'
import type { ServerClaim, ServerNews } from '#shared/tools/tools/server-claim.ts'
import type { ToolContract, ToolRun } from '#shared/tools/tools/tool.ts'
import type { ToolKind } from '#shared/tools/tools/tools.ts'
import type { JsonSchema } from '../../models/models/port.ts'
import type { Grants } from '../../platform/access/access.ts'
import { checkout, codeUrl } from '../../platform/process/checkout.ts'

export type LoadedTool = {
  contract: ToolContract
  schema: JsonSchema
  /** The folder has a card of its own. */
  hasCard: boolean
  /** What a tool has that somebody made; absent for those of the product. */
  made?: {
    kind: Exclude<ToolKind, 'built_in'>
    version: number
    /** What belongs together with it. */
    setId: string
    /** Whose it is. */
    userId: string
    /** The companies its set is shared with. */
    companies: string[]
    /** What its server claims, and why it waits for a new decision; null for a tool no server describes. */
    said: { claim: ServerClaim; news: ServerNews | null } | null
    /** The host where each person signs in to use it; null where nobody has to. */
    account: string | null
    /** False while whoever has it has switched it off: it is shown, and not called. */
    isOn: boolean
    /** Its words are somebody else's: a server's, a description's or a colleague's. */
    isForeign: boolean
    run: ToolRun<ToolContract>
  }
}

/** Tools that stand in the database. */
export type ToolSource = {
  /** Those a person may use. */
  load: (userId: string) => Promise<LoadedTool[]>
  /** One of them, in its newest version or the one that is named. */
  find: (id: string, userId: string, version?: number) => Promise<LoadedTool | null>
}

/** The one way to the tools a person may use. Code is loaded when it is first needed. */
export type Tools = {
  /** Those of the product. */
  ids: string[]
  /** Those of the product whose results are nobody's words. */
  pure: () => Promise<string[]>
  /** Contracts and JSON schemas of all a person may use: of the product by id, then their own, then those others share. */
  load: (userId: string) => Promise<LoadedTool[]>
  /** One of them; null for what is not there, or not theirs to use. */
  find: (id: string, userId: string, version?: number) => Promise<LoadedTool | null>
  /** The same to show and to change: also one that is closed to its person now. */
  read: (id: string, userId: string, version?: number) => Promise<LoadedTool | null>
  loadRun: (tool: LoadedTool) => Promise<ToolRun<ToolContract>>
}

const folder = new URL('src/tools/', checkout)

const nobodyMadeAny: ToolSource = { load: async () => [], find: async () => null }

/** Reads which tools there are in `src/tools`: every folder is one. What people made comes from `made`. */
export function createTools(
  made: ToolSource = nobodyMadeAny,
  grants: Pick<Grants, 'closedTo'> = { closedTo: async () => ({ has: () => false, ids: () => [] }) },
): Tools {
  const ids = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
  const loaded = new Map<string, Promise<LoadedTool>>()
  const loadOne = (id: string) => {
    const known = loaded.get(id) ?? loadContract(id)
    loaded.set(id, known)
    return known
  }
  const read: Tools['read'] = async (id, userId, version) =>
    ids.includes(id) ? loadOne(id) : made.find(id, userId, version)
  return {
    ids,
    load: async (userId) => {
      const [closed, ofProduct, own] = await Promise.all([
        grants.closedTo(userId),
        Promise.all(ids.map(loadOne)),
        made.load(userId),
      ])
      return [...ofProduct, ...own].filter(({ contract }) => !closed.has('tool', contract.id))
    },
    find: async (id, userId, version) =>
      (await grants.closedTo(userId)).has('tool', id) ? null : read(id, userId, version),
    read,
    pure: async () => {
      const ofProduct = await Promise.all(ids.map(loadOne))
      return ofProduct.flatMap(({ contract }) => (contract.isPure ? [contract.id] : []))
    },
    loadRun: async (tool) => {
      if (tool.made) return tool.made.run
      const module = (await import(codeUrl(`src/tools/${tool.contract.id}/run.ts`).href)) as {
        default: ToolRun<ToolContract>
      }
      return module.default
    },
  }
}

async function loadContract(id: string): Promise<LoadedTool> {
  const module = (await import(codeUrl(`src/tools/${id}/contract.ts`).href)) as { default: ToolContract }
  const contract = module.default
  const { $schema: _dialect, ...schema } = z.toJSONSchema(contract.input, { io: 'input' })
  return { contract, schema, hasCard: existsSync(new URL(`${id}/card.tsx`, folder)) }
}
