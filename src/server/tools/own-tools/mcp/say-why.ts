import { AppError } from '#shared/platform/errors.ts'

/** What goes wrong at somebody else's server, as people read it: `unavailable` would speak of this installation. */
export function sayWhy(error: unknown): never {
  if (error instanceof AppError && error.code === 'unavailable')
    throw new AppError('not_available', error.detail, { cause: error })
  throw error
}
