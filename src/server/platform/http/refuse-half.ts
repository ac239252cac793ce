import { AppError } from '#shared/platform/errors.ts'

/** Refuses a truncated form, for which the parser names no status. @throws AppError `malformed`, or the error if it has a status */
export function refuseHalf(error: Error): never {
  if ('statusCode' in error || error instanceof AppError) throw error
  throw new AppError('malformed', 'The file did not arrive whole. Send it again.', { cause: error })
}
