import { AppError } from '#shared/platform/errors.ts'
import { sayPrivate } from '../say-private.ts'

/** What goes wrong at somebody else's server, as people read it: `unavailable` would speak of this installation. */
export function sayWhy(failure: unknown): never {
  const error = sayPrivate(failure)
  if (error instanceof AppError && error.code === 'unavailable')
    throw new AppError('not_available', error.detail, { cause: error })
  throw error
}
