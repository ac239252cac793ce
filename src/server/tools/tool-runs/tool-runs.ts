import { AppError } from '#shared/platform/errors.ts'
import * as contract from '#shared/tools/tools/tools.ts'
import { auditBy } from '../../identity/audit/audit.ts'
import { assertOpen, findAllowed, type Principal } from '../../platform/access/access.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../deps.ts'
import { loadPolicies } from '../tool-policies/tool-policies.ts'
import { deleteExecution } from './delete-execution.ts'
import { describeTool } from './describe-tool.ts'
import { listExecutions } from './list-executions.ts'
import { readExecution } from './read-execution.ts'
import { startExecution } from './start-execution.ts'
import { readToolFacts } from './tool-facts.ts'

export { describeTool } from './describe-tool.ts'
export { readExecution } from './read-execution.ts'
export { readToolFacts } from './tool-facts.ts'

/** Serves tools for people: listing and executing them, and reading the results. */
export function serveToolRuns(server: Server, deps: Deps): void {
  const { tools } = deps
  const findTool = async (id: string, userId: string) => {
    const tool = await tools.find(id, userId)
    if (tool) return tool
    await assertOpen(deps.grants, userId, { kind: 'tool', id })
    throw unknownTool(id)
  }
  const find = async ({ params, principal }: { params: { toolId: string }; principal: Principal }) => {
    if (principal.kind === 'user') await findTool(params.toolId, principal.id)
  }
  const policies = (user: Caller) => loadPolicies(deps, user.id, null)
  serve(server, contract.listTools, {
    handle: async ({ user }) => {
      const [resolve, facts] = await Promise.all([policies(user), readToolFacts(deps, user)])
      return (await tools.load(user.id)).map((tool) => describeTool(tool, user, resolve, facts))
    },
  })
  serve(server, contract.getTool, {
    find,
    handle: async ({ params, user }) =>
      describeTool(
        await findTool(params.toolId, user.id),
        user,
        await policies(user),
        await readToolFacts(deps, user),
      ),
  })
  serve(server, contract.executeTool, {
    find,
    handle: async ({ params, user, body: { inputs, session_id = null, interface_of = null } }) =>
      startExecution(deps, user, await findTool(params.toolId, user.id), {
        ...{ inputs, session_id, interface_of },
      }),
  })
  serve(server, contract.listToolExecutions, {
    handle: ({ user, query }) => listExecutions(deps, user, query),
  })
  serve(server, contract.getToolExecution, {
    handle: async ({ params, user }) =>
      readExecution(deps, await findAllowed(deps.db, user, 'read execution', params.executionId)),
  })
  serve(server, contract.deleteToolExecution, {
    handle: async ({ params, user, request }) => {
      const row = await findAllowed(deps.db, user, 'manage execution', params.executionId)
      await deleteExecution(deps, row, auditBy(deps, { user, request }))
      return { message: 'The execution was deleted.' }
    },
  })
}

function unknownTool(id: string): AppError {
  return new AppError('not_found', `Tool with ID ${id} not found.`)
}
