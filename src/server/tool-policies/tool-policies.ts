import { AppError } from '#shared/errors.ts'
import type { EffectivePolicy } from '#shared/tools/policy.ts'
import * as contract from '#shared/tools/policy.ts'
import { assertMayAssistant } from '../access/access.ts'
import type { Deps } from '../deps.ts'
import { type Server, serve } from '../http/serve.ts'
import { findPolicies, storePolicy } from './store.ts'

/** When tools run: read and decided per person, or for an assistant by who may change it. */
export function serveToolPolicies(server: Server, deps: Deps): void {
  const find = async ({ params }: { params: { toolId: string } }) => {
    if (!(await deps.tools.find(params.toolId))) throw new AppError('not_found', 'Tool not found')
  }
  serve(server, contract.setToolPolicy, {
    find,
    handle: async ({ params: { toolId }, user, body: { policy, assistant_id } }) => {
      if (assistant_id) await assertMayAssistant(deps.db, user, 'write assistant', assistant_id)
      const whose = assistant_id ? { user_id: null, assistant_id } : { user_id: user.id, assistant_id: null }
      await storePolicy(deps.db, whose, toolId, policy)
      return effectivePolicy(deps, user.id, assistant_id ?? null, toolId)
    },
  })
  serve(server, contract.getToolPolicy, {
    find,
    handle: async ({ params, user, query: { assistant_id } }) => {
      if (assistant_id) await assertMayAssistant(deps.db, user, 'read assistant', assistant_id)
      return effectivePolicy(deps, user.id, assistant_id ?? null, params.toolId)
    },
  })
}

async function effectivePolicy(
  deps: Deps,
  userId: string,
  assistantId: string | null,
  toolId: string,
): Promise<EffectivePolicy> {
  const resolve = await loadPolicies(deps, userId, assistantId)
  return { tool_id: toolId, ...resolve(toolId, await defaultOf(deps, toolId)) }
}

async function defaultOf(deps: Deps, toolId: string): Promise<contract.ToolPolicy | undefined> {
  return (await deps.tools.find(toolId))?.contract.policy
}

/** How a tool is resolved for a person who works with an assistant: their own word, the assistant's, the tool's. */
export async function loadPolicies({ db }: Pick<Deps, 'db'>, userId: string, assistantId: string | null) {
  const decided = await findPolicies(db, userId, assistantId)
  return (toolId: string, fallback: contract.ToolPolicy = 'auto'): Omit<EffectivePolicy, 'tool_id'> =>
    decided.get(toolId) ?? { policy: fallback, source: 'tool' }
}
