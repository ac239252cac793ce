import { AppError, TranslatableError } from '#shared/platform/errors.ts'

/** Returns a word from a closed list for a failure, because error messages may contain user input. */
export function outcomeOf(error: unknown): string {
  if (error instanceof AppError) return error.code
  if (error instanceof TranslatableError) return error.kind
  const name = error instanceof Error ? error.name : ''
  return name === 'AbortError' || name === 'TimeoutError' ? 'stopped' : 'failed'
}
