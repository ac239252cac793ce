import { AppError } from '#shared/errors.ts'
import * as contract from '#shared/own-tools/own-tools.ts'
import type { Principal } from '../access/access.ts'
import type { Deps } from '../deps.ts'
import { type Caller, type Server, serve } from '../http/serve.ts'
import { loadPolicies } from '../tool-policies/tool-policies.ts'
import { describeTool } from '../tool-runs/tool-runs.ts'
import { readOwnTool } from './read-own-tool.ts'
import { changeTool, createTool } from './save-tool.ts'
import { findTool, removeTool } from './store.ts'

export { createToolSource } from './source.ts'

/** Tools people make: calls of APIs, and what servers offer. */
export function serveOwnTools(server: Server, deps: Deps): void {
  const { db, tools } = deps
  const describe = async (id: string, user: Caller) => {
    const tool = await tools.find(id, user.id)
    if (!tool) throw new AppError('broken', 'The tool was stored, and cannot be read.')
    return describeTool(tool, user.id, await loadPolicies(deps, user.id, null))
  }
  const findOwn = async (id: string, user: Caller) => {
    const stored = await findTool(db, user, id)
    if (!stored) throw new AppError('not_found', `Tool with ID ${id} not found.`)
    return stored
  }
  const find = async ({
    params: { toolId },
    principal,
  }: {
    params: { toolId: string }
    principal: Principal
  }) => {
    if (tools.ids.includes(toolId))
      throw new AppError('forbidden', 'This tool is part of Atrium. It cannot be changed.')
    if (principal.kind === 'user' && !(await findTool(db, principal, toolId)))
      throw new AppError('not_found', `Tool with ID ${toolId} not found.`)
  }

  serve(server, contract.createTool, {
    handle: async ({ user, body }) => describe(await createTool(deps, user, body), user),
  })
  serve(server, contract.getToolDefinition, {
    find,
    handle: async ({ params, user }) =>
      readOwnTool(deps, await findOwn(params.toolId, user), await describe(params.toolId, user)),
  })
  serve(server, contract.updateTool, {
    find,
    handle: async ({ params, user, body }) => {
      await changeTool(deps, user, await findOwn(params.toolId, user), body)
      return describe(params.toolId, user)
    },
  })
  serve(server, contract.deleteTool, {
    find,
    handle: async ({ params, user }) => {
      await removeTool(db, await findOwn(params.toolId, user))
      return { message: 'The tool was deleted.' }
    },
  })
}
