import { AppError } from '#shared/platform/errors.ts'
import { sayPrivate } from '../say-private.ts'

/** Returns an error of a remote server in words for people, since `unavailable` would refer to this installation. */
export function sayWhy(failure: unknown): never {
  const error = sayPrivate(failure)
  if (error instanceof AppError && error.code === 'unavailable')
    throw new AppError('not_available', error.detail, { cause: error })
  throw error
}
