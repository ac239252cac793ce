import type { FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import type { Route } from '#shared/platform/http.ts'
import type { Config } from '../config/config.ts'
import { answerBadLine, TIMEOUT } from './answer-errors.ts'

const KB = 1024
/** Who is not known yet has little to say; others send forms and texts of an ordinary size. */
const publicBytes = 64 * KB
const ordinaryBytes = 1024 * KB
/** A body from here on is large: it is read when its caller has room for it, and in several turns of the event loop. */
export const LARGE_BYTES = 64 * KB
/** The slowest line a body may come over. */
const bytesPerSecond = 32 * KB
/** How long an upload may stand still. */
const idleMs = 60_000
/** Values of a JSON text, and how deep they may be nested. */
const MAX_VALUES = 10_000
const MAX_DEPTH = 100
/** Pairs of a form. */
const MAX_PAIRS = 1_000

/** The most bytes the body of a route may have. Files are bounded by who reads them. */
export function bodyLimitOf(route: Route): number {
  return route.bodyLimit ?? (route.access === 'public' ? publicBytes : ordinaryBytes)
}

/** Hangs up on a caller whose body does not come: a text has a time by its size, a file must not stand still. */
export function boundBodyTime(
  { raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>,
  maxBytes: number,
  config: Pick<Config, 'ATRIUM_LIMIT_BODY_SECONDS'>,
): void {
  const hangUp = () => answerBadLine(tooSlow(), raw.socket)
  if (headers['content-type']?.startsWith('multipart/')) {
    raw.setTimeout(idleMs, hangUp)
    raw.once('close', () => raw.socket?.setTimeout(0))
    return
  }
  const seconds = config.ATRIUM_LIMIT_BODY_SECONDS + maxBytes / bytesPerSecond
  const timer = setTimeout(hangUp, seconds * 1000).unref()
  const isHere = () => clearTimeout(timer)
  raw.once('end', isHere)
  raw.once('close', isHere)
}

function tooSlow(): NodeJS.ErrnoException {
  return Object.assign(new Error('The body took too long.'), { code: TIMEOUT })
}

/**
 * Refuses JSON that costs more to parse than to send: too many values, or nested too deeply. It looks for ASCII only,
 * which is no part of another character in UTF-8.
 * @throws AppError `too_large` or `invalid`
 */
export function assertFewValues(json: Uint8Array, maxValues = MAX_VALUES): void {
  let values = 0
  let depth = 0
  let isText = false
  for (let at = 0; at < json.length; at += 1) {
    const code = json[at]
    if (code === QUOTE) isText = !isText
    else if (isText) {
      if (code === BACKSLASH) at += 1
    } else if (code === COMMA) values += 1
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      values += 1
      depth += 1
      if (depth > MAX_DEPTH) throw new AppError('invalid', 'The request is nested too deeply.')
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1
    if (values > maxValues) throw new AppError('too_large', 'The request has too many values.')
  }
}

/** Refuses a form of too many pairs before it is parsed. @throws AppError `too_large` */
export function assertFewPairs(form: Uint8Array, maxPairs = MAX_PAIRS): void {
  let pairs = 1
  for (let at = form.indexOf(AND); at >= 0; at = form.indexOf(AND, at + 1)) {
    pairs += 1
    if (pairs > maxPairs) throw new AppError('too_large', 'The form has too many fields.')
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const AND = 0x26
