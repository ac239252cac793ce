import * as z from 'zod/mini'

/** Period of a budget of a project: a day or a calendar month in UTC. */
export const ProjectBudgetPeriod = z.enum(['day', 'month'])
export type ProjectBudgetPeriod = z.infer<typeof ProjectBudgetPeriod>

export const ProjectBudget = z.object({
  period: ProjectBudgetPeriod,
  /** Dollars. */
  amount: z.number(),
  /** Dollars spent in the current period. */
  spent: z.number(),
  /** Time of the next reset. */
  until: z.string(),
})
export type ProjectBudget = z.infer<typeof ProjectBudget>

export const ProjectSpending = z.object({
  /** Dollars of all members in this month of UTC, for runs that began in the project. */
  spent_this_month: z.number(),
  /** At most one for each period. */
  budgets: z.array(ProjectBudget).check(z.maxLength(2)),
})
export type ProjectSpending = z.infer<typeof ProjectSpending>
