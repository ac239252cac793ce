import type { ToolRun } from '#shared/tools/tools/tool.ts'
import type viewPage from './contract.ts'

/** Finds the page. The model gets its picture with the result. */
const run: ToolRun<typeof viewPage> = ({ document, page }, { pages }) => pages.view(document, page)

export default run
