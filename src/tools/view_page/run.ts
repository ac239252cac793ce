import type { ToolRun } from '#shared/tools/tools/tool.ts'
import type viewPage from './contract.ts'

/** Finds the page; the server attaches its image to the result. */
const run: ToolRun<typeof viewPage> = ({ document, page }, { pages }) => pages.view(document, page)

export default run
