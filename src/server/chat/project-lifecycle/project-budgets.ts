import * as contract from '#shared/chat/project-budgets/project-budgets.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Audit, auditBy } from '../../identity/audit/audit.ts'
import { findProjectBudgets, removeProjectBudget, upsertBudget } from '../../money/budgets/budgets.ts'
import { type Call, type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { lockProject } from '../projects/projects.ts'

/** Serves the spending of projects and their budgets, which managers set and `billing` enforces. */
export function serveProjectBudgets(server: Server, { db, clock }: Platform): void {
  serve(server, contract.getProjectSpending, {
    handle: ({ params }) => findProjectBudgets(db, params.workspaceId),
  })
  serve(server, contract.setProjectBudget, {
    handle: async ({ params: { workspaceId }, body, user, request }) => {
      await setBudget(db, workspaceId, body, auditBy({ clock }, { user, request }))
      return findProjectBudgets(db, workspaceId)
    },
  })
}

type Wish = Call<typeof contract.setProjectBudget>['body']

/** @throws AppError `not_found` for a default workspace */
async function setBudget(db: Platform['db'], id: string, { period, amount }: Wish, audit: Audit) {
  await db.transaction().execute(async (trx) => {
    const project = await lockProject(trx, id)
    if (!project) throw new AppError('not_found', 'Project not found')
    const wish = { kind: 'project' as const, period, subject_id: id }
    const before =
      amount === null
        ? await removeProjectBudget(trx, id, period)
        : (await upsertBudget(trx, { ...wish, amount })).before
    const after = amount === null ? null : String(amount)
    if (before === after) return
    const changes = [{ what: period, before, after }]
    const did = amount === null ? ('budget.removed' as const) : ('budget.set' as const)
    await audit(trx, { did, subject: project.name, subjectId: id, changes })
  })
}
