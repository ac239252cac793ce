import type { FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import type { Route } from '#shared/platform/http.ts'
import type { Config } from '../config/config.ts'
import { answerBadLine, TIMEOUT } from './answer-errors.ts'

const KB = 1024
/** Maximum body size for unknown callers. */
const publicBytes = 64 * KB
const ordinaryBytes = 1024 * KB
/** Minimum size of a large body. It waits until its caller has room and is parsed over several turns of the event loop. */
export const LARGE_BYTES = 64 * KB
/** Minimum transfer rate of a body. */
const bytesPerSecond = 32 * KB
/** Maximum time an upload may stall. */
const idleMs = 60_000
/** Maximum values of a JSON text, and maximum nesting depth. */
const MAX_VALUES = 10_000
const MAX_DEPTH = 100
/** Maximum pairs of a form. */
const MAX_PAIRS = 1_000

/** Returns the maximum body size of a route in bytes. Routes that read files limit those themselves. */
export function bodyLimitOf(route: Route): number {
  return route.bodyLimit ?? (route.access === 'public' ? publicBytes : ordinaryBytes)
}

/** Closes the connection of a late body. A text has a timeout by its size; a file upload must not stall. */
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
 * Refuses JSON that is expensive to parse: too many values, or nested too deeply. It scans for ASCII only, which never
 * occurs inside another UTF-8 character.
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

/** Refuses a form with too many pairs before parsing. @throws AppError `too_large` */
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
