import { existsSync, readdirSync } from 'node:fs'
import * as z from 'zod'
import type { ServerClaim, ServerNews } from '#shared/tools/tools/server-claim.ts'
import type { ToolContract, ToolMeans, ToolRun } from '#shared/tools/tools/tool.ts'
import type { ToolKind } from '#shared/tools/tools/tools.ts'
import type { JsonSchema } from '../../models/models/port.ts'
import type { Grants } from '../../platform/access/access.ts'
import { checkout, codeUrl } from '../../platform/process/checkout.ts'

export type LoadedTool = {
  contract: ToolContract
  schema: JsonSchema
  /** Whether the folder has a card component. */
  hasCard: boolean
  /** Facts about a tool made by a person; absent for built-in ones. */
  made?: {
    kind: Exclude<ToolKind, 'built_in'>
    version: number
    /** The set it belongs to. */
    setId: string
    /** Its owner. */
    userId: string
    /** The companies its set is shared with. */
    companies: string[]
    /** The place that its calls go to; a copy of the tool has the same target. */
    target: string
    /** Name of the person who shared it with the reader; null for an own tool. */
    sharedBy: string | null
    /** Its server's claim, and why it waits for a new decision; null for a tool without a server. */
    said: { claim: ServerClaim; news: ServerNews | null } | null
    /** The host where each person signs in to use it; null if no sign-in is needed. */
    account: string | null
    /** False if its owner has switched it off: it is shown but not called. */
    isOn: boolean
    /** Whether its texts come from others: a server, a description or a colleague. */
    isForeign: boolean
    run: ToolRun<ToolContract>
  }
}

/** Tools stored in the database. */
export type ToolSource = {
  /** Returns those a person may use. */
  load: (userId: string) => Promise<LoadedTool[]>
  /** Returns one of them in the given version, by default the newest. */
  find: (id: string, userId: string, version?: number) => Promise<LoadedTool | null>
}

/** The only access to a person's tools. Code is loaded when first needed. */
export type Tools = {
  /** Ids of the built-in tools. */
  ids: string[]
  /** Returns the built-in tools whose results contain no foreign text. */
  pure: () => Promise<string[]>
  /** Returns the built-in tools that use what is open to their person alone: accounts and databases. */
  personal: () => Promise<string[]>
  /** Returns contracts and JSON schemas of all tools a person may use: built-in ones by id, then their own, then shared ones. */
  load: (userId: string) => Promise<LoadedTool[]>
  /** Returns one of them; null if it does not exist or the person may not use it. */
  find: (id: string, userId: string, version?: number) => Promise<LoadedTool | null>
  /** Does the same for showing and changing a tool, including one currently closed to its person. */
  read: (id: string, userId: string, version?: number) => Promise<LoadedTool | null>
  loadRun: (tool: LoadedTool) => Promise<ToolRun<ToolContract>>
}

const folder = new URL('src/tools/', checkout)

const nobodyMadeAny: ToolSource = { load: async () => [], find: async () => null }

/**
 * Reads the built-in tools from `src/tools`, one per folder. `made` provides tools made by people. `findMeans` returns the things that
 * a person has or may use.
 */
export function createTools(
  made: ToolSource = nobodyMadeAny,
  grants: Pick<Grants, 'closedTo'> = { closedTo: async () => ({ has: () => false, ids: () => [] }) },
  findMeans: (userId: string) => Promise<ReadonlySet<ToolMeans>> = async () => new Set(),
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
      const [closed, ofProduct, own, means] = await Promise.all([
        grants.closedTo(userId),
        Promise.all(ids.map(loadOne)),
        made.load(userId),
        findMeans(userId),
      ])
      return [...ofProduct, ...own].filter(
        ({ contract: { id, onlyWith } }) =>
          !closed.has('tool', id) && (onlyWith === undefined || means.has(onlyWith)),
      )
    },
    find: async (id, userId, version) => {
      if ((await grants.closedTo(userId)).has('tool', id)) return null
      const tool = await read(id, userId, version)
      const only = tool?.contract.onlyWith
      return only !== undefined && !(await findMeans(userId)).has(only) ? null : tool
    },
    read,
    pure: async () => {
      const ofProduct = await Promise.all(ids.map(loadOne))
      return ofProduct.flatMap(({ contract }) => (contract.isPure ? [contract.id] : []))
    },
    personal: async () => {
      const ofProduct = await Promise.all(ids.map(loadOne))
      return ofProduct.flatMap(({ contract: { id, onlyWith } }) => (onlyWith === undefined ? [] : [id]))
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
