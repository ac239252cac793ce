import type { ToolRun } from '#shared/tools/tools/tool.ts'
import type createTicket from './contract.ts'

const run: ToolRun<typeof createTicket> = (draft, { actions }) => actions.createTicket(draft)

export default run
