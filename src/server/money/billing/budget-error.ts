import type { BudgetMark, UsedUpBudget } from '#shared/money/budgets/budgets.ts'
import { AppError } from '#shared/platform/errors.ts'

/** The budget that paused a run. */
export type StoppingBudget = UsedUpBudget & { id: string }

/** Thrown when a budget is used up. The run pauses until it is raised or removed, or a new period begins. */
export class BudgetError extends AppError {
  readonly budget: StoppingBudget

  constructor(budget: StoppingBudget) {
    super('budget_used_up', budget.is_own ? ownSentence : sentences[budget.period](subjects[budget.kind]))
    this.name = 'BudgetError'
    this.budget = budget
  }
}

const subjects: Record<BudgetMark['kind'], string> = {
  house: 'this server',
  company: 'your company',
  group: 'your group',
  user: 'your account',
  assistant: 'the assistant',
  key: 'the API key',
}

const ownSentence =
  "This month's budget of the API key is used up. Raise it in your settings, or go on next month (UTC)."
const askFor = 'Ask an administrator to raise it'
const sentences: Record<BudgetMark['period'], (whose: string) => string> = {
  day: (whose) => `Today's budget of ${whose} is used up. ${askFor}, or go on tomorrow (UTC).`,
  month: (whose) => `This month's budget of ${whose} is used up. ${askFor}, or go on next month (UTC).`,
  reply: (whose) => `The budget of ${whose} for one reply is used up. ${askFor}.`,
}
