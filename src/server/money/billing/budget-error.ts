import type { BudgetMark, UsedUpBudget } from '#shared/money/budgets/budget-kinds.ts'
import { AppError } from '#shared/platform/errors.ts'

/** The budget that paused a run. */
export type StoppingBudget = UsedUpBudget & { id: string }

/** Thrown when a budget is used up. The run pauses until it is raised or removed, or a new period begins. */
export class BudgetError extends AppError {
  readonly budget: StoppingBudget

  constructor(budget: StoppingBudget) {
    super('budget_used_up', sentenceOf(budget))
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
  project: 'the project',
}

function sentenceOf({ is_own, kind, period }: StoppingBudget): string {
  if (is_own) return ownSentence
  return sentences[period](subjects[kind], kind === 'project' ? 'a manager of it' : 'an administrator')
}

const ownSentence =
  "This month's budget of the API key is used up. Raise it in your settings, or go on next month (UTC)."
const sentences: Record<BudgetMark['period'], (whose: string, who: string) => string> = {
  day: (whose, who) =>
    `Today's budget of ${whose} is used up. Ask ${who} to raise it, or go on tomorrow (UTC).`,
  month: (whose, who) =>
    `This month's budget of ${whose} is used up. Ask ${who} to raise it, or go on next month (UTC).`,
  reply: (whose, who) => `The budget of ${whose} for one reply is used up. Ask ${who} to raise it.`,
}
