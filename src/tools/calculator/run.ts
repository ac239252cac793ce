import type { ToolRun } from '#shared/tools/tools/tool.ts'
import { calculate } from './calculate.ts'
import type calculator from './contract.ts'

/** @throws AppError `invalid` for a division by zero */
const run: ToolRun<typeof calculator> = async ({ a, b, operation }) => {
  const exact = calculate(a, operation, b)
  return { result: Number(exact), exact }
}

export default run
