import type { ToolRun } from '#shared/tools/tools/tool.ts'
import type hang from './contract.ts'

const run: ToolRun<typeof hang> = async () => {
  for (;;);
}

export default run
