import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, queryInt, text } from '../../platform/primitives.ts'
import { AdminBudgetKind, BudgetMark, BudgetPeriod } from './budget-kinds.ts'

/** Share of a budget at which people are warned. */
export const WARNS_AT = 0.8

export const Budget = z.object({
  id: Id,
  ...BudgetMark.shape,
  /** Id of the subject; null for the installation. */
  subject_id: z.nullable(z.string()),
  /** Current name of the subject; null when it has none or was deleted. */
  name: z.nullable(z.string()),
  /** Dollars. */
  amount: z.number(),
  /** Dollars spent this day or month; null for budgets per reply. */
  spent: z.nullable(z.number()),
})
export type Budget = z.infer<typeof Budget>

export const BUDGETS_LIMIT = 100

export const listBudgets = route({
  method: 'GET',
  path: '/admin/budgets',
  access: 'super_admin',
  summary: 'All budgets by what they are for, with what is spent of each in this day or month of UTC',
  query: z.object({
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 200, fallback: BUDGETS_LIMIT }),
  }),
  answer: z.object({ items: z.array(Budget), total: z.int(), has_more: z.boolean() }),
})

export const setBudget = route({
  method: 'PUT',
  path: '/admin/budgets',
  access: 'super_admin',
  summary:
    'Set the most that may be spent, in place of what was set for the same before; runs that stood still for it go on',
  fails: ['not_found'],
  body: z.object({
    kind: AdminBudgetKind,
    period: BudgetPeriod,
    /** Null or absent for the installation. */
    subject_id: z.nullable(Id),
    amount: z.number().check(z.gte(0), z.lte(1_000_000)),
  }),
  answer: Budget,
})

export const removeBudget = route({
  method: 'DELETE',
  path: '/admin/budgets/:budgetId',
  access: 'super_admin',
  may: null,
  summary: 'Take a budget away; runs that stood still for it go on',
  fails: ['not_found'],
  status: 204,
  params: z.object({ budgetId: Id }),
})

export const BudgetSubject = z.object({ id: Id, name: z.string(), detail: z.nullable(z.string()) })
export type BudgetSubject = z.infer<typeof BudgetSubject>

export const listBudgetSubjects = route({
  method: 'GET',
  path: '/admin/budgets/subjects',
  access: 'super_admin',
  summary: 'What a budget can be for, by name',
  query: z.object({
    kind: z.enum(['company', 'group', 'user', 'assistant', 'key']),
    q: z.optional(text(0, 200)),
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: 20 }),
  }),
  answer: z.object({ items: z.array(BudgetSubject), has_more: z.boolean() }),
})

/** A budget the caller is responsible for: their own, or that of their assistant or API key. */
export const OwnBudget = z.object({
  ...Budget.shape,
  /** Time of the next reset; null for budgets per reply. */
  until: z.nullable(z.string()),
  /** True for an API key's budget that the caller set and may raise. */
  is_own: z.boolean(),
})
export type OwnBudget = z.infer<typeof OwnBudget>

export const OWN_BUDGETS_LIMIT = 20

export const listOwnBudgets = route({
  method: 'GET',
  path: '/users/me/budgets',
  access: 'user',
  scope: 'usage',
  summary: 'The budgets of the caller, of their assistants and API keys, with what is spent and until when',
  query: z.object({
    page: queryInt({ min: 1, max: 1_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: OWN_BUDGETS_LIMIT }),
  }),
  answer: z.object({ items: z.array(OwnBudget), total: z.int(), has_more: z.boolean() }),
})
