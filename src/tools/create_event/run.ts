import type { ToolRun } from '#shared/tools/tools/tool.ts'
import type createEvent from './contract.ts'

const run: ToolRun<typeof createEvent> = (draft, { actions }) => actions.createEvent(draft)

export default run
