import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'

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
  'authToken',
  'auth_token',
  'code',
  'secret',
  'client_secret',
  'setup_code',
]

const secretParameter = /^(token|authToken|auth_token|code|state|key|access_token)$/i
/** What people write in an address: words they look for, names, and pages they name. */
const wordsParameter = /^(q|query|search|name|title|tags?|url|domain|text)$/i

/** A URL as it may be logged: without the query parameters that can sign someone in, and without what people write. */
export function redactUrl(url: string): string {
  return url.replace(/([?&])([^=?&#\s]+)=[^&#\s]*/g, (whole, mark: string, name: string) =>
    isHidden(decoded(name)) ? `${mark}${name}=[hidden]` : whole,
  )
}

const isHidden = (name: string) => secretParameter.test(name) || wordsParameter.test(name)

/** JSON lines on standard output, one object each, without secrets. */
export function createLog(level: string, destination: DestinationStream = pino.destination(1)): Log {
  const settings = {
    level,
    redact: { paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[hidden]' },
    serializers: { err: describeError, error: describeError },
    // An error logged by itself would give its message to the line as it is.
    hooks: {
      logMethod(this: Log, [first, ...rest]: Parameters<LogFn>, write: LogFn) {
        const said: unknown = first
        if (said instanceof Error && rest.length === 0)
          write.call(this, { err: said }, redactUrl(said.message))
        else write.call(this, first, ...rest)
      },
    },
  }
  return pino(settings, destination)
}

/** A name may be written in percent codes, which the server understands. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Only what can be read: a database error object carries the whole client with it. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return error
  const { name, message, stack = '' } = error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  // `code` would be hidden with the codes that sign someone in.
  return { name, message: redactUrl(message), reason: code, stack: redactUrl(stack) }
}
