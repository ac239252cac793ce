import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'

export type Log = Logger

const secretKeys = [
  'authorization',
  'x-api-key',
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
/** Parameters with user input: search terms, names and page addresses. */
const wordsParameter = /^(q|query|search|name|title|tags?|url|domain|text)$/i

/** Redacts a URL for the log: removes query parameters with credentials or user input. */
export function redactUrl(url: string): string {
  return url.replace(/([?&])([^=?&#\s]+)=[^&#\s]*/g, (whole, mark: string, name: string) =>
    isHidden(decoded(name)) ? `${mark}${name}=[hidden]` : whole,
  )
}

const isHidden = (name: string) => secretParameter.test(name) || wordsParameter.test(name)

/** Creates a log of JSON lines on standard output, one object each, without secrets. */
export function createLog(level: string, destination: DestinationStream = pino.destination(1)): Log {
  const settings = {
    level,
    redact: { paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[hidden]' },
    serializers: { err: describeError, error: describeError },
    // An error logged directly would set the message of the line unredacted.
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

/** Decodes a parameter name, since the server accepts percent codes in it. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Keeps only the readable fields, since a database error object contains the whole client. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return error
  const { name, message, stack = '' } = error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  // `code` would be redacted like the codes that sign someone in.
  return { name, message: redactUrl(message), reason: code, stack: redactUrl(stack) }
}
