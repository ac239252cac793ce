import * as z from 'zod/mini'
import { type ToolContract, type ToolRun, tool } from '../../src/shared/tools/tools/tool.ts'
import type { TestApp } from './app.ts'

const contract = tool({
  ...{ id: 'probe', name: 'Probe', description: 'A tool of a test.', repeatable: true, limitSeconds: 2 },
  input: z.object({ n: z.number() }),
  output: z.object({ doubled: z.number(), text: z.optional(z.string()) }),
})

/** The tool's work, and changes to its contract. */
export type Probe = [work: ToolRun<typeof contract>, patch?: Partial<typeof contract>]

/** Adds a tool `probe` to this process. Returns a function that removes it. */
export function playTool(app: TestApp, ...[work, patch]: Probe): () => void {
  const { tools } = app.deps
  const { ids, load, find, loadRun } = tools
  const loaded = { contract: { ...contract, ...patch } as ToolContract, schema: {}, hasCard: false }
  tools.ids = [...ids, 'probe']
  tools.load = async (userId) => [...(await load(userId)), loaded]
  tools.find = async (id, ...whose) => (id === 'probe' ? loaded : find(id, ...whose))
  tools.loadRun = async (tool) => (tool === loaded ? (work as ToolRun<ToolContract>) : loadRun(tool))
  return () => Object.assign(tools, { ids, load, find, loadRun })
}
