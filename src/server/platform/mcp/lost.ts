import { AppError } from '#shared/platform/errors.ts'
import { isConnectionError } from './explain.ts'

/** How a request was lost: `refused` before any effect, or `cut` off with an unknown outcome. */
export type Loss = 'refused' | 'cut'

/** An answer ended before it was complete. */
export class Unfinished extends AppError {}

/** The outcome of a request is unknown. */
export class Cut extends AppError {}

/** Statuses that never mean a lost session, whatever the body says. */
const OTHER_STATUSES = new Set([401, 403, 407, 429])

/**
 * Returns how a request to a remote server was lost; null if it was answered. A server refuses an unknown session by
 * status, before it reads the request. Words about a session in the body may come from the tool.
 */
export function lossOf(error: unknown, hasSession: boolean): Loss | null {
  if (error instanceof Unfinished) return 'cut'
  const {
    status,
    code,
    message = '',
  } = Object(error) as { status?: unknown; code?: unknown; message?: string }
  if (typeof status === 'number' && !(error instanceof AppError)) {
    if (status < 400 || status >= 500 || OTHER_STATUSES.has(status)) return null
    return ((status === 404 || status === 410) && hasSession) || isAboutSession(message) ? 'refused' : null
  }
  if (typeof code === 'number' && isAboutSession(message)) return 'cut'
  return code === 'CONNECTION_CLOSED' || isConnectionError(error) ? 'cut' : null
}

const SESSION = /session|transport/i
const GONE =
  /not found|unknown|expired|invalid|no valid|not valid|not exist|terminated|closed|missing|required|no longer|not recogni[sz]ed/i
const NOT_BEGUN = /not (yet |been )?initiali[sz]ed|before initiali[sz]ation|initiali[sz]e first/i

function isAboutSession(said: string): boolean {
  return (SESSION.test(said) && GONE.test(said)) || NOT_BEGUN.test(said)
}
