import type { ToolRun } from '#shared/tools/tools/tool.ts'
import type listEvents from './contract.ts'

const run: ToolRun<typeof listEvents> = async (range, { actions }) => ({
  events: await actions.listEvents(range),
})

export default run
