import * as z from 'zod/mini'
import { ProjectBudgetPeriod, ProjectSpending } from '../../money/budgets/project-spending.ts'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'

const params = z.object({ workspaceId: Id })

export const getProjectSpending = route({
  method: 'GET',
  path: '/projects/:workspaceId/spending',
  access: 'user',
  may: 'read workspace',
  summary: 'What a project has spent in this month, and its budgets',
  params,
  answer: ProjectSpending,
})

export const setProjectBudget = route({
  method: 'PUT',
  path: '/projects/:workspaceId/budget',
  access: 'user',
  may: 'manage workspace',
  fails: ['not_found'],
  summary:
    'Set or remove the maximum that the chats of a project may spend in a period. Runs that paused for it resume when it is raised or removed',
  params,
  body: z.object({
    period: ProjectBudgetPeriod,
    /** Dollars; null removes the budget. */
    amount: z.nullable(z.number().check(z.gte(0), z.lte(1_000_000))),
  }),
  answer: ProjectSpending,
})
