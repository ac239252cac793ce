import { type Logger, pino } from 'pino'

export type Log = Logger

const secretKeys = [
  'authorization',
  'cookie',
  'password',
  'new_password',
  'current_password',
  'api_key',
  'token',
  'access_token',
  'code',
]

/** A URL as it may be logged: the value of every query parameter that can sign someone in is hidden. */
export function redactUrl(url: string): string {
  return url.replace(
    /([?&](?:token|authToken|auth_token|code|state|key|access_token)=)[^&#]*/gi,
    '$1[hidden]',
  )
}

/** JSON lines on standard output, one object each, without secrets. */
export function createLog(level: string): Log {
  return pino({
    level,
    redact: { paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[hidden]' },
    serializers: { err: describeError, error: describeError },
  })
}

/** Only what can be read: a database error object carries the whole client with it. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return error
  const { name, message, stack } = error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  // `code` would be hidden with the codes that sign someone in.
  return { name, message: redactUrl(message), reason: code, stack }
}
