import { AppError } from '#shared/platform/errors.ts'
import type { EffectivePolicy } from '#shared/tools/tools/policy.ts'
import * as contract from '#shared/tools/tools/policy.ts'
import { auditBy, changed } from '../../identity/audit/audit.ts'
import { assertMayAssistant, assertOpen, type Principal } from '../../platform/access/access.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import { loadPolicies } from '../decided-policies/decided-policies.ts'
import type { Deps } from '../deps.ts'
import type { LoadedTool } from '../tools/tools.ts'
import { assertMayRunUnasked } from './may-allow.ts'
import { storePolicy } from './store.ts'

export { loadPolicies, resolvePolicies } from '../decided-policies/decided-policies.ts'
export { serveCompanyActions } from './company-actions.ts'
export { assertMayAllow, mayRunUnasked } from './may-allow.ts'

/** Serves tool policies: people decide for themselves, and those responsible for an assistant decide for it. */
export function serveToolPolicies(server: Server, deps: Deps): void {
  const findTool = async (toolId: string, userId: string) => {
    const tool = await deps.tools.find(toolId, userId)
    if (tool) return tool
    await assertOpen(deps.grants, userId, { kind: 'tool', id: toolId })
    throw new AppError('not_found', 'Tool not found')
  }
  const find = async ({ params, principal }: { params: { toolId: string }; principal: Principal }) => {
    if (principal.kind === 'user') await findTool(params.toolId, principal.id)
  }
  serve(server, contract.setToolPolicy, {
    find,
    handle: async ({ params: { toolId }, user, body: { policy, assistant_id, tool_version }, request }) => {
      if (assistant_id) await assertMayAssistant(deps.db, user, 'manage assistant', assistant_id)
      const whose = assistant_id ? { user_id: null, assistant_id } : { user_id: user.id, assistant_id: null }
      const tool = await findTool(toolId, user.id)
      if (policy === 'auto') assertMayRunUnasked(user, tool, tool_version ?? null)
      const { policy: before } = await effectivePolicy(deps, user.id, assistant_id ?? null, tool)
      await deps.db.transaction().execute(async (trx) => {
        await storePolicy(trx, whose, { toolId, version: tool.made?.version ?? null }, policy)
        const of = changed('assistant', null, assistant_id ?? null)
        const changes = [...changed('policy', before, policy), ...of]
        const entry = { subject: tool.contract.name, subjectId: toolId, changes }
        await auditBy(deps, { user, request })(trx, { did: 'policy.changed', ...entry })
      })
      return effectivePolicy(deps, user.id, assistant_id ?? null, tool)
    },
  })
  serve(server, contract.getToolPolicy, {
    find,
    handle: async ({ params, user, query: { assistant_id } }) => {
      if (assistant_id) await assertMayAssistant(deps.db, user, 'read assistant', assistant_id)
      return effectivePolicy(deps, user.id, assistant_id ?? null, await findTool(params.toolId, user.id))
    },
  })
}

async function effectivePolicy(
  deps: Deps,
  userId: string,
  assistantId: string | null,
  tool: LoadedTool,
): Promise<EffectivePolicy> {
  const resolve = await loadPolicies(deps, userId, assistantId)
  return { tool_id: tool.contract.id, ...resolve(tool) }
}
