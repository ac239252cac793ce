import type { ToolRun } from '#shared/tools/tools/tool.ts'
import type fileMail from './contract.ts'

const run: ToolRun<typeof fileMail> = (draft, { actions }) => actions.fileMail(draft)

export default run
