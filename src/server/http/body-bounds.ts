import type { FastifyInstance } from 'fastify'
import { AppError } from '#shared/errors.ts'
import type { Route } from '#shared/http.ts'
import type { Config } from '../config.ts'
import { answerBadLine } from './answer-errors.ts'

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
/** Values a JSON text may have, and how deep they may stand in each other. */
const maxValues = 10_000
const maxDepth = 100

/** The most bytes the body of a route may have. Files are bounded by who reads them. */
export function bodyLimitOf(route: Route): number {
  return route.bodyLimit ?? (route.access === 'public' ? publicBytes : ordinaryBytes)
}

/** Hangs up on callers whose body does not come: a JSON body has a time by its size, a file must not stand still. */
export function boundBodyTime(
  http: FastifyInstance,
  config: Pick<Config, 'ATRIUM_LIMIT_BODY_SECONDS'>,
): void {
  http.addHook('preParsing', async ({ raw, headers, routeOptions }) => {
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
    const hangUp = () => answerBadLine(tooSlow(), raw.socket)
    if (headers['content-type']?.startsWith('multipart/')) {
      raw.setTimeout(idleMs, hangUp)
      raw.once('close', () => raw.socket?.setTimeout(0))
      return
    }
    const seconds = config.ATRIUM_LIMIT_BODY_SECONDS + (routeOptions.bodyLimit ?? 0) / bytesPerSecond
    const timer = setTimeout(hangUp, seconds * 1000).unref()
    const isHere = () => clearTimeout(timer)
    raw.once('end', isHere)
    raw.once('close', isHere)
  })
}

function tooSlow(): NodeJS.ErrnoException {
  return Object.assign(new Error('The body took too long.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
}

/**
 * Refuses JSON that costs more to read than to send: values without end, or one inside the other. It looks for ASCII
 * only, which is no part of another character in UTF-8.
 * @throws AppError `too_large` or `invalid`
 */
export function assertFewValues(json: Uint8Array): void {
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
      if (depth > maxDepth) throw new AppError('invalid', 'The request is nested too deeply.')
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1
    if (values > maxValues) throw new AppError('too_large', 'The request has too many values.')
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
