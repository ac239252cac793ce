import { AppError } from '#shared/errors.ts'
import * as contract from '#shared/tools/tools.ts'
import { findAllowed } from '../access/access.ts'
import type { Deps } from '../deps.ts'
import { type Caller, type Server, serve } from '../http/serve.ts'
import { loadPolicies } from '../tool-policies/tool-policies.ts'
import { deleteExecution } from './delete-execution.ts'
import { describeTool } from './describe-tool.ts'
import { listExecutions } from './list-executions.ts'
import { readExecution } from './read-execution.ts'
import { startExecution } from './start-execution.ts'

export { readExecution } from './read-execution.ts'

/** Tools as people meet them: which there are, executing one, and what came of it. */
export function serveToolRuns(server: Server, deps: Deps): void {
  const { tools } = deps
  const find = async ({ params }: { params: { toolId: string } }) => {
    if (!tools.ids.includes(params.toolId)) throw unknownTool(params.toolId)
  }
  const findTool = async (id: string) => {
    const tool = await tools.find(id)
    if (!tool) throw unknownTool(id)
    return tool
  }
  const policies = (user: Caller) => loadPolicies(deps, user.id, null)
  serve(server, contract.listTools, {
    handle: async ({ user }) => {
      const resolve = await policies(user)
      return (await tools.load()).map((tool) => describeTool(tool, resolve))
    },
  })
  serve(server, contract.getTool, {
    find,
    handle: async ({ params, user }) => describeTool(await findTool(params.toolId), await policies(user)),
  })
  serve(server, contract.executeTool, {
    find,
    handle: async ({ params, user, body: { inputs, session_id = null } }) =>
      startExecution(deps, user, await findTool(params.toolId), { inputs, session_id }),
  })
  serve(server, contract.listToolExecutions, {
    handle: ({ user, query }) => listExecutions(deps, user, query),
  })
  serve(server, contract.getToolExecution, {
    handle: async ({ params, user }) =>
      readExecution(deps, await findAllowed(deps.db, user, 'read execution', params.executionId)),
  })
  serve(server, contract.deleteToolExecution, {
    handle: async ({ params, user }) => {
      await deleteExecution(deps, await findAllowed(deps.db, user, 'manage execution', params.executionId))
      return { message: 'The execution was deleted.' }
    },
  })
}

function unknownTool(id: string): AppError {
  return new AppError('not_found', `Tool with ID ${id} not found.`)
}
