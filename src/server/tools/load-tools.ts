import { existsSync, readdirSync } from 'node:fs'
import * as z from 'zod'
import type { ToolContract, ToolRun } from '#shared/tools/tool.ts'
import type { JsonSchema } from '../models/port.ts'

export type LoadedTool = {
  contract: ToolContract
  schema: JsonSchema
  /** The folder has a card of its own. */
  hasCard: boolean
}

/** The tools of this installation. Code is loaded when it is first needed. */
export type Tools = {
  ids: string[]
  /** Contracts and JSON schemas of all tools, by id. */
  load: () => Promise<LoadedTool[]>
  find: (id: string) => Promise<LoadedTool | null>
  loadRun: (id: string) => Promise<ToolRun<ToolContract>>
}

const folder = new URL('../../tools/', import.meta.url)

/** Reads which tools there are in `src/tools`: every folder is one. */
export function createTools(): Tools {
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
  return {
    ids,
    load: () => Promise.all(ids.map(loadOne)),
    find: async (id) => (ids.includes(id) ? loadOne(id) : null),
    loadRun: async (id) => {
      const module = (await import(`${folder.href}${id}/run.ts`)) as { default: ToolRun<ToolContract> }
      return module.default
    },
  }
}

async function loadContract(id: string): Promise<LoadedTool> {
  const module = (await import(`${folder.href}${id}/contract.ts`)) as { default: ToolContract }
  const contract = module.default
  const { $schema: _dialect, ...schema } = z.toJSONSchema(contract.input, { io: 'input' })
  return { contract, schema, hasCard: existsSync(new URL(`${id}/card.tsx`, folder)) }
}
