import { AppError } from '#shared/platform/errors.ts'
import type { McpServer } from './address.ts'
import { bounds } from './bounds.ts'
import { hideSecrets } from './hide-secrets.ts'
import { plainIssues } from './issues-in-words.ts'
import type { EndedBy, Program } from './program.ts'
import { sentenceIn } from './sentence-in.ts'

/** A server answered with an error. Its text may repeat the arguments, so only the caller may read it. */
export class Refused extends AppError {}

/** The known facts about a failed connection. */
export type Failed = { server: McpServer; program: Program | null; isFlooding: boolean; isConnected: boolean }

/** Maximum characters of a server's error that are searched for secrets. */
const MAX_SAID = 8_000

/** Converts an SDK error to a sentence for people and models, using the server's own message if it sent one. */
export function explain(failed: Failed, error: unknown): unknown {
  if (error instanceof AppError) return error
  const ended = explainEnd(failed)
  if (ended) return ended
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AppError) return cause
  if (!(error instanceof Error)) return error
  const { server } = failed
  const known = explainCode(failed, error)
  if (known) return new AppError('unavailable', known, { cause: error })
  const said = hideSecrets(server, plainIssues(saidIn(error)).slice(0, MAX_SAID)).slice(0, 2_000)
  return new Refused('unavailable', `${server.name} answered: ${said}`, { cause: error })
}

function explainEnd({ server, program, isFlooding }: Failed): AppError | null {
  const { name } = server
  const endedBy: EndedBy | null = isFlooding ? 'flood' : (program?.endedBy() ?? null)
  if (endedBy === 'flood') return new AppError('unavailable', `${name} sent too much and was stopped.`)
  if (endedBy === 'memory')
    return new AppError('unavailable', `${name} took too much memory and was stopped.`)
  if (endedBy !== 'itself') return null
  const said = hideSecrets(server, program?.lastWords() ?? '')
  return new AppError('unavailable', `${name} exited unexpectedly.${said ? ` It last said: ${said}` : ''}`)
}

/** Returns a sentence for errors of the connection; null for errors in the server's words. */
function explainCode({ server: { name, address }, isConnected }: Failed, error: Error): string | null {
  const { code, status } = error as { code?: unknown; status?: unknown }
  if (status === 401) return `${name} refused your account (401). Connect it anew.`
  if (code === 'ENOENT') return `The program of ${name} was not found.`
  if (code === 'EACCES') return `The program of ${name} may not be run.`
  if (code === 'REQUEST_TIMEOUT' && address.kind === 'stdio' && !isConnected)
    return `${name} did not start within ${bounds.startMs / 1000} seconds.`
  if (code === 'REQUEST_TIMEOUT') return `${name} did not answer within ${bounds.answerMs / 1000} seconds.`
  if (code === 'CONNECTION_CLOSED') return `${name} ended the connection.`
  if (isConnectionError(error)) return `${name} cut the connection before it had answered.`
  if (code === 'CLIENT_HTTP_UNEXPECTED_CONTENT')
    return `${name} answered with something other than JSON or events. Check its address.`
  return isInvalid(error) ? `${name} answered with something that is not valid MCP.` : null
}

const CONNECTION_CODES = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Returns whether a connection was lost. */
export function isConnectionError(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (CONNECTION_CODES.has(String((cause as { code?: unknown }).code))) return true
  return false
}

/** Returns whether the SDK rejected an answer as invalid. Its long description does not help a person. */
function isInvalid(error: Error): boolean {
  const { code } = error as { code?: unknown }
  return code === 'INVALID_RESULT' || error instanceof SyntaxError || /^\$?Zod/.test(error.name)
}

/** Returns the server's own message in an error, from the protocol or from an HTTP answer with this status. */
function saidIn(error: Error): string {
  const { code, status, data } = error as { code?: unknown; status?: unknown; data?: { text?: unknown } }
  if (typeof status !== 'number')
    return error.message || `an error without words${typeof code === 'number' ? ` (${code})` : ''}.`
  const sentence = typeof data?.text === 'string' ? sentenceIn(data.text) : null
  return sentence === null ? `status ${status}, without words.` : `${sentence} (${status})`
}
