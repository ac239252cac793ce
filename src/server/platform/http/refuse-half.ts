import { AppError } from '#shared/platform/errors.ts'

/** The reader of forms names no status for one that ends too soon. @throws AppError `malformed`, or what has a status */
export function refuseHalf(error: Error): never {
  if ('statusCode' in error || error instanceof AppError) throw error
  throw new AppError('malformed', 'The file did not arrive whole. Send it again.', { cause: error })
}
