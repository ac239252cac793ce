import type { ToolRun } from '#shared/tools/tools/tool.ts'
import type sendMail from './contract.ts'

const run: ToolRun<typeof sendMail> = (draft, { actions }) => actions.sendMail(draft)

export default run
