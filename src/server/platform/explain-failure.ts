/** The first line of what an error says, at most 300 characters; its code where it says nothing. */
export function firstLine(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  // Of several refused addresses only their codes are known.
  const text = error instanceof Error ? message || code || error.name : String(error)
  return text.trim().split('\n', 1)[0]?.slice(0, 300) ?? ''
}

/**
 * One line for the person at the terminal: why a command ended. The errors of `expected` say all of it themselves.
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
