import type { ToolRun } from '#shared/tools/tools/tool.ts'
import type queryDatabase from './contract.ts'

/** Checks and runs one query. @throws AppError `invalid` for a refused query, `not_found`, `too_slow`, `unavailable` */
const run: ToolRun<typeof queryDatabase> = async ({ database, sql }, { databases, executionId }) => ({
  execution_id: executionId,
  ...(await databases.query(database, sql)),
})

export default run
