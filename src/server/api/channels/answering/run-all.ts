import { AppError } from '#shared/platform/errors.ts'
import { isUnreachable } from '../../../platform/db/db.ts'

/**
 * Does the work of each item in turn. A failure keeps no later item from its turn, unless the service asks to wait or the database is
 * unreachable.
 * @throws the first failure, after the last item
 */
export async function runAll<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = []
  for (const item of items)
    try {
      await work(item)
    } catch (error) {
      if (isRateLimit(error) || isUnreachable(error)) throw error
      failures.push(error)
    }
  if (failures.length > 0) throw failures[0]
}

export const isRateLimit = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'rate_limited'
