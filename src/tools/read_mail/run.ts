import type { ToolRun } from '#shared/tools/tools/tool.ts'
import type readMail from './contract.ts'

const run: ToolRun<typeof readMail> = (mail, { actions }) => actions.readMail(mail)

export default run
