import * as contract from '#shared/tools/tools/company-actions.ts'
import { actorOf, changed, writeAudit } from '../../identity/audit/audit.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import { listCompanyPolicies, storeCompanyPolicy } from '../decided-policies/decided-policies.ts'
import type { Deps } from '../deps.ts'

/** Serves how far the people of a company may act outside. */
export function serveCompanyActions(server: Server, deps: Deps): void {
  const { db, clock, tools } = deps
  const read = async (companyId: string, trx = db) => {
    const stored = new Map(
      (await listCompanyPolicies(trx, companyId)).map((row) => [row.tool_id, row.policy]),
    )
    return contract.ActionTool.options.map((tool_id) => ({
      tool_id,
      policy: stored.get(tool_id) ?? ('auto' as const),
    }))
  }
  serve(server, contract.listCompanyActions, {
    handle: async ({ params: { companyId } }) => ({ items: await read(companyId) }),
  })
  serve(server, contract.setCompanyAction, {
    handle: async ({ user, request, params: { companyId, actionTool: tool_id }, body: { policy } }) => {
      const subject = (await tools.read(tool_id, user.id))?.contract.name ?? tool_id
      await db.transaction().execute(async (trx) => {
        const before = (await listCompanyPolicies(trx, companyId)).find((one) => one.tool_id === tool_id)
        await storeCompanyPolicy(trx, { companyId, toolId: tool_id, policy }, clock.now())
        await writeAudit(trx, clock.now(), {
          ...{ actor: actorOf(user, request), companyId, did: 'policy.changed', subject, subjectId: tool_id },
          changes: changed('policy', before?.policy ?? 'auto', policy),
        })
      })
      return { tool_id, policy }
    },
  })
}
