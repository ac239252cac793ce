/** Returns the first line of an error message, at most 300 characters, or the error's code if the message is empty. */
export function firstLine(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  // An error for several refused addresses has only a code.
  const text = error instanceof Error ? message || code || error.name : String(error)
  return text.trim().split('\n', 1)[0]?.slice(0, 300) ?? ''
}

/**
 * Explains in one line why a command failed. Errors of the `expected` classes have a complete message of their own.
 * With `ATRIUM_LOG_LEVEL=debug` the stack follows.
 */
export function explainFailure(
  command: string,
  error: unknown,
  expected: readonly (abstract new (...args: never[]) => Error)[],
  level = process.env.ATRIUM_LOG_LEVEL,
): string {
  const isExpected = expected.some((kind) => error instanceof kind)
  const line = isExpected
    ? joinLines((error as Error).message)
    : `${command} failed: ${firstLine(error)}. ATRIUM_LOG_LEVEL=debug shows where.`
  const wantsMore = level === 'debug' || level === 'trace'
  return wantsMore && error instanceof Error ? `${line}\n${error.stack}` : line
}

function joinLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
}
