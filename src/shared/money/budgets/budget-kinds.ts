import * as z from 'zod/mini'

/** Subjects of budgets that super admins set: the installation, a company, a group, a person, an assistant or an API key. */
export const AdminBudgetKind = z.enum(['house', 'company', 'group', 'user', 'assistant', 'key'])
export type AdminBudgetKind = z.infer<typeof AdminBudgetKind>

/** Subject of a budget. Managers of a project set that of the project. */
export const BudgetKind = z.enum([...AdminBudgetKind.options, 'project'])
export type BudgetKind = z.infer<typeof BudgetKind>

/** A day or a calendar month in UTC; for an assistant also a single reply. */
export const BudgetPeriod = z.enum(['day', 'month', 'reply'])
export type BudgetPeriod = z.infer<typeof BudgetPeriod>

/** Kind and period of a budget. */
export const BudgetMark = z.object({ kind: BudgetKind, period: BudgetPeriod })
export type BudgetMark = z.infer<typeof BudgetMark>

/** The budget that a run is paused for. `is_own`: the person set it on their own API key and can raise it. */
export const UsedUpBudget = z.object({ ...BudgetMark.shape, is_own: z.optional(z.boolean()) })
export type UsedUpBudget = z.infer<typeof UsedUpBudget>
