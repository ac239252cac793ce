import { statfsSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError, TranslatableError } from '#shared/platform/errors.ts'
import {
  isDiskFull,
  isHeld,
  isRolledBack,
  isUnreachable,
  isUnstorableText,
  readFullCompany,
  readLastAdministrator,
} from '../db/db.ts'

/**
 * Answers every failure as `{detail, code, errors?}`. Unexpected errors are logged and reveal no internals.
 * `databaseDir` is the folder of the embedded database, which stops when its disk is full.
 */
export function answerErrors(http: FastifyInstance, databaseDir: string | null): void {
  http.setErrorHandler((error, request, reply) => {
    const known =
      isUnreachable(error) && databaseDir && isFull(databaseDir) ? storageFull(error) : toAppError(error)
    if (known.status >= 500) request.log.error({ error }, known.detail)
    return sendError(reply, known)
  })
}

/** Answers input that is not HTTP, or whose head is too large or too slow, directly on the socket. */
export function answerBadLine(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  // Browsers open spare connections. They would take an answer here for the answer to their next request.
  if (error.code === TIMEOUT && socket.bytesRead === 0) return void socket.destroy()
  const known = badLines[error.code ?? ''] ?? new AppError('malformed', 'The request is not well formed.')
  const body = JSON.stringify({ detail: known.detail, code: known.code })
  const head = `HTTP/1.1 ${known.status} ${STATUS_CODES[known.status]}\r\ncontent-type: application/json; charset=utf-8\r\n`
  socket.end(`${head}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`)
  // Ignores whatever the caller still sends.
  socket.destroySoon()
}

/** Node's error code for a request whose head or body arrives late. */
export const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

const badLines: Record<string, AppError> = {
  HPE_HEADER_OVERFLOW: new AppError('too_large', 'The head of the request is too large.'),
  ...Object.fromEntries(
    ['HPE_INVALID_CONTENT_LENGTH', 'HPE_UNEXPECTED_CONTENT_LENGTH', 'HPE_INVALID_TRANSFER_ENCODING'].map(
      (code) => [code, new AppError('malformed', 'The request states the length of its body unclearly.')],
    ),
  ),
  [TIMEOUT]: new AppError('too_slow', 'The request took too long to arrive. Try again.'),
}

/** Sends an error in the common format. */
export function sendError(reply: FastifyReply, error: AppError) {
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(error.retryAfterSeconds))
  const { code, detail, errors } = error
  return reply.status(error.status).send(errors ? { detail, code, errors } : { detail, code })
}

/** Maps any error to the AppError that the caller sees. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof TranslatableError) return error.toAppError()
  if (isUnreachable(error)) {
    return new AppError('unavailable', 'The database cannot be reached right now. Try again in a moment.', {
      retryAfterSeconds: 2,
      cause: error,
    })
  }
  if (isRolledBack(error)) {
    return new AppError('unavailable', 'Another change came in between. Try again in a moment.', {
      retryAfterSeconds: 1,
      cause: error,
    })
  }
  if (isDiskFull(error)) return storageFull(error)
  const room = readFullCompany(error)
  if (room !== null)
    return new AppError(
      'conflict',
      `This company is full: it may have ${room} people. A super admin can raise the limit.`,
    )
  const company = readLastAdministrator(error)
  if (company !== null)
    return new AppError(
      'conflict',
      `This is the last administrator of ${company} who can enter from its networks. Let another one sign in from there first, or remove the networks.`,
    )
  if (isHeld(error))
    return new AppError(
      'held',
      'A legal hold covers this. It can be deleted only after an administrator lifted the hold.',
    )
  if (isUnstorableText(error)) {
    return new AppError('invalid', 'The text has characters that cannot be stored.', { cause: error })
  }
  if (isTooDeep(error)) return new AppError('invalid', 'The request is nested too deeply.', { cause: error })
  return fromFastify(error) ?? new AppError('broken', 'Something went wrong on the server.', { cause: error })
}

function storageFull(cause: unknown): AppError {
  return new AppError('storage_full', 'The storage is full. Free some space and try again.', { cause })
}

/** PostgreSQL extends its write-ahead log in segments of this size and does not start without space for one. */
const pieceBytes = 16 * 1024 * 1024

function isFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < pieceBytes
  } catch {
    return false
  }
}

/** Node and PostgreSQL both limit the nesting depth of values. */
function isTooDeep(error: unknown): boolean {
  if (error instanceof RangeError) return error.message === 'Maximum call stack size exceeded'
  return error instanceof Error && 'code' in error && error.code === '54001'
}

function fromFastify(error: unknown): AppError | null {
  const { statusCode, code } = error as { statusCode?: number; code?: string }
  if (statusCode === 413) return new AppError('too_large', 'The request is too large.', { cause: error })
  // A path segment longer than any id matches nothing.
  if (statusCode === 414) return new AppError('not_found', 'Not found')
  if (statusCode === 429) return new AppError('rate_limited', 'Too many requests. Try again in a moment.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new AppError('malformed', 'The request body must be JSON.', { cause: error })
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AppError('malformed', 'The request is not well formed.', { cause: error })
  }
  return null
}
