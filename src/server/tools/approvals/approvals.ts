import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Named } from '#shared/runs/runs/request.ts'
import * as contract from '#shared/tools/approvals/approvals.ts'
import { actorOf, changed, writeAudit } from '../../identity/audit/audit.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { RunDeps } from '../../runs/run-deps.ts'
import {
  type ApprovalRow,
  countApprovals,
  deleteApproval,
  findApproval,
  isOfCompany,
  listApprovals,
  notifyDeputies,
  putApproval,
} from './approval-store.ts'

export { targetOfRequest, targetOfServer } from './call-target.ts'
export { assertUnnamed, findNeededApproval, type NeededApproval } from './needed-approval.ts'

/** The tools of a person, as far as their names are needed. */
type NamedTools = {
  load: (userId: string) => Promise<{ contract: { id: string; name: string } }[]>
  find: (
    id: string,
    userId: string,
  ) => Promise<{ contract: { name: string }; made?: { target: string } } | null>
}

/** Serves who approves the calls of tools for the people of a company, and notifies deputies when it is their turn. */
export function serveApprovals(server: Server, deps: RunDeps & { tools: NamedTools }): void {
  const { db, clock, tools } = deps
  deps.jobs.register('approvals.deputies', () => notifyDeputies(db), { cron: '* * * * *' })
  serve(server, contract.listToolApprovals, {
    handle: async ({ user, params: { companyId } }) => {
      const names = new Map((await tools.load(user.id)).map(({ contract: { id, name } }) => [id, name]))
      const rows = await listApprovals(db, companyId)
      return { items: rows.map((row) => show(row, names.get(row.tool_id) ?? null)) }
    },
  })
  serve(server, contract.setToolApproval, {
    handle: async ({ user, request, params: { companyId, approvedToolId: toolId }, body }) => {
      const tool = await tools.find(toolId, user.id)
      if (!tool) throw new AppError('not_found', 'Tool not found')
      const { name } = tool.contract
      const row = await db.transaction().execute(async (trx) => {
        const before = await findApproval(trx, { companyId, toolId })
        const count = await countApprovals(trx, companyId)
        if (!before && count >= contract.MAX_TOOL_APPROVALS)
          throw new AppError('conflict', `A company names approvers for at most ${count} tools.`)
        await assertOfCompany(trx, companyId, body)
        const target = tool.made?.target ?? null
        await putApproval(trx, { companyId, toolId, target, ...body }, clock.now())
        const after = await findApproval(trx, { companyId, toolId })
        if (!after) throw new Error('A stored approval was not found.')
        await writeAudit(trx, clock.now(), {
          ...{
            actor: actorOf(user, request),
            companyId,
            did: 'approver.named',
            subject: name,
            subjectId: toolId,
          },
          changes: [
            ...changed('approver', nameOf(before?.approver), nameOf(after.approver)),
            ...changed('deputy', nameOf(before?.deputy), nameOf(after.deputy)),
            ...changed('deadline', minutes(before?.deadline_minutes), minutes(after.deadline_minutes)),
          ],
        })
        return after
      })
      return show(row, name)
    },
  })
  serve(server, contract.removeToolApproval, {
    handle: async ({ user, request, params: { companyId, approvedToolId: toolId } }) => {
      const name = (await tools.find(toolId, user.id))?.contract.name ?? toolId
      await db.transaction().execute(async (trx) => {
        const before = await findApproval(trx, { companyId, toolId })
        if (!before || !(await deleteApproval(trx, companyId, toolId)))
          throw new AppError('not_found', 'No approver is named for this tool.')
        const changes = changed('approver', nameOf(before.approver), null)
        await writeAudit(trx, clock.now(), {
          ...{
            actor: actorOf(user, request),
            companyId,
            did: 'approver.removed',
            subject: name,
            subjectId: toolId,
          },
          changes,
        })
      })
    },
  })
}

const nameOf = (named: Named | null | undefined) => named?.name ?? null
const minutes = (count: number | undefined) => (count === undefined ? null : `${count} min`)

/** @throws AppError `invalid` naming the field */
async function assertOfCompany(
  trx: Kysely<Tables>,
  companyId: string,
  { approver, deputy }: { approver: contract.Who; deputy: contract.Who | null },
): Promise<void> {
  for (const [path, who] of Object.entries({ approver, deputy })) {
    if (!who || (await isOfCompany(trx, companyId, who))) continue
    const message = 'Choose a person or a group of this company.'
    throw new AppError('invalid', message, { errors: [{ path, message }] })
  }
  if (deputy && deputy.kind === approver.kind && deputy.id === approver.id) {
    const message = 'Choose a deputy other than the approver.'
    throw new AppError('invalid', message, { errors: [{ path: 'deputy', message }] })
  }
}

function show({ company_id: _, ...row }: ApprovalRow, tool_name: string | null): contract.ToolApproval {
  return { ...row, tool_name }
}
