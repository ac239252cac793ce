import { AppError, TranslatableError } from '#shared/platform/errors.ts'

/** How work failed, in a word of a closed list: messages of errors hold what people wrote. */
export function outcomeOf(error: unknown): string {
  if (error instanceof AppError) return error.code
  if (error instanceof TranslatableError) return error.kind
  const name = error instanceof Error ? error.name : ''
  return name === 'AbortError' || name === 'TimeoutError' ? 'stopped' : 'failed'
}
