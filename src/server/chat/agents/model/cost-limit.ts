import { AppError } from '#shared/platform/errors.ts'
import { type RunContext, sumUsage } from '../../../runs/runs/runs.ts'

/**
 * Ends a run that has spent its limit, at the checkpoint before its next model call. A single call may exceed the limit.
 * @throws AppError `budget_used_up`
 */
export async function assertWithinCost(run: RunContext, db: Parameters<typeof sumUsage>[0]): Promise<void> {
  const { cost } = run.input.limits
  if (cost === undefined) return
  const { amount } = await sumUsage(db, run.id)
  if (amount >= cost) throw new AppError('budget_used_up', `This run has reached its limit of $${cost}.`)
}
