import { AppError } from '#shared/platform/errors.ts'
import { getToolSet, importDescription, readDescription } from '#shared/tools/own-tools/openapi.ts'
import * as contract from '#shared/tools/own-tools/own-tools.ts'
import { exportTools, importTools } from '#shared/tools/own-tools/tool-file.ts'
import { tryCall as tryCallRoute } from '#shared/tools/own-tools/try-call.ts'
import { auditBy, changed } from '../../identity/audit/audit.ts'
import { findAllowed, type Principal } from '../../platform/access/access.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../deps.ts'
import { loadPolicies } from '../tool-policies/tool-policies.ts'
import { describeTool, readToolFacts } from '../tool-runs/tool-runs.ts'
import { findToEdit } from './find-to-edit.ts'
import { tryCall } from './http/try-call.ts'
import { importSet } from './openapi/import-set.ts'
import { describeText, fetchDescription } from './openapi/read-description.ts'
import { readOwnTool, readToolSet } from './read-own-tool.ts'
import { changeTool, createTool } from './save-tool.ts'
import { findTool, removeTool } from './store.ts'
import { readFile, writeFile } from './tool-file.ts'
import { readVersions, returnTo } from './versions.ts'

export { readApp } from './mcp/read-app.ts'
export { serveMcpServers } from './mcp/serve-servers.ts'
export { serveToolAccounts } from './serve-accounts.ts'
export { createToolSource } from './source.ts'

/** Serves tools that people make: API calls, and tools of MCP servers. */
export function serveOwnTools(server: Server, deps: Deps): void {
  const { db, tools } = deps
  const describe = async (id: string, user: Caller) => {
    const tool = await tools.read(id, user.id)
    if (!tool) throw new AppError('broken', 'The tool was stored but cannot be read.')
    return describeTool(tool, user, await loadPolicies(deps, user.id, null), await readToolFacts(deps, user))
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
    handle: async ({ user, body, request }) =>
      describe(await createTool(deps, user, body, auditBy(deps, { user, request })), user),
  })
  serve(server, contract.getToolDefinition, {
    find,
    handle: async ({ params, user }) =>
      readOwnTool(deps, await findToEdit(db, user, params.toolId), await describe(params.toolId, user)),
  })
  serve(server, contract.updateTool, {
    find,
    handle: async ({ params, user, body, request }) => {
      const stored = await findToEdit(db, user, params.toolId)
      await changeTool(deps, user, stored, body, auditBy(deps, { user, request }))
      return describe(params.toolId, user)
    },
  })
  serve(server, contract.deleteTool, {
    find,
    handle: async ({ params, user, request }) => {
      const stored = await findToEdit(db, user, params.toolId)
      await db.transaction().execute(async (trx) => {
        await removeTool(trx, stored)
        const entry = { subject: stored.name, subjectId: stored.id }
        await auditBy(deps, { user, request })(trx, { did: 'tool.removed', ...entry })
      })
      return { message: 'The tool was deleted.' }
    },
  })
  serve(server, contract.listToolVersions, {
    find,
    handle: async ({ params, user, query }) =>
      readVersions(deps, await findToEdit(db, user, params.toolId), query),
  })
  serve(server, contract.returnToVersion, {
    find,
    handle: async ({ params, user, body, request }) => {
      const stored = await findToEdit(db, user, params.toolId)
      await returnTo(deps, stored, body.version, auditBy(deps, { user, request }))
      return describe(params.toolId, user)
    },
  })
  serve(server, tryCallRoute, { handle: ({ user, body }) => tryCall(deps, user, body) })
  serve(server, readDescription, {
    handle: async ({ body }) => describeText(await fetchDescription(deps, body)),
  })
  serve(server, importDescription, {
    handle: ({ user, body, request }) => importSet(deps, user, body, auditBy(deps, { user, request })),
  })
  serve(server, getToolSet, {
    handle: async ({ params, user }) => {
      const set = await findAllowed(db, user, 'write tool-set', params.toolSetId)
      if (set.kind === 'api') return readToolSet(deps, set)
      throw new AppError('invalid', 'These tools come from a server, not from a description.')
    },
  })
  serve(server, exportTools, {
    handle: async ({ user, body, request }) => {
      const file = await writeFile(deps, user, body.tool_ids)
      const subject = file.sets.map(({ name }) => name).join(', ')
      const entry = { subject, changes: changed('tools', null, 'json') }
      await auditBy(deps, { user, request })(db, { did: 'export.created', ...entry })
      return file
    },
  })
  serve(server, importTools, {
    handle: async ({ user, body, request }) => {
      const ids = new Set(await readFile(deps, user, body, auditBy(deps, { user, request })))
      const resolve = await loadPolicies(deps, user.id, null)
      const made = (await tools.load(user.id)).filter(({ contract: { id } }) => ids.has(id))
      const facts = await readToolFacts(deps, user)
      return made.map((tool) => describeTool(tool, user, resolve, facts))
    },
  })
}
