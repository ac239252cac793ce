import type { ToolRun } from '#shared/tools/tools/tool.ts'
import type searchMail from './contract.ts'

const run: ToolRun<typeof searchMail> = async (query, { actions }) => ({
  mails: await actions.searchMail(query),
})

export default run
