import { parse as parseForm } from 'node:querystring'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import { createThread } from '../../outbound/foreign/thread.ts'
import { codeUrl } from '../../process/checkout.ts'
import { assertFewPairs, assertFewValues, LARGE_BYTES } from '../body-bounds.ts'
import { type BodyRule, FORM_TYPE, typeOf } from './body-rule.ts'
import type { LargeBody } from './body-thread.ts'

/** Minimum size of a JSON body that is parsed in a thread. Parsing 1 MB takes about 6 ms. */
const THREAD_BYTES = 1024 * 1024
const thread = createThread<LargeBody, unknown>(codeUrl('src/server/platform/http/bodies/body-thread.ts'), {
  tooMuch: () => new AppError('too_large', 'The request is too large.'),
})

type ParseJson = ReturnType<FastifyInstance['getDefaultJsonParser']>

/** A received body. It is parsed during its caller's turn. */
export class RequestBody {
  /** The raw bytes, which signatures cover. */
  readonly bytes: Buffer
  /** @throws AppError `malformed`, `too_large`, `invalid` */
  readonly parse: () => Promise<unknown>

  constructor(bytes: Buffer, parse: () => Promise<unknown>) {
    this.bytes = bytes
    this.parse = parse
  }
}

/** Wraps the bytes of a form or JSON body by its type, without parsing them. */
export function createBody(
  request: FastifyRequest,
  bytes: Buffer,
  rule: BodyRule,
  parse: ParseJson,
): RequestBody {
  if (typeOf(request) === FORM_TYPE) {
    return new RequestBody(bytes, async () => {
      assertFewPairs(bytes, rule.maxValues)
      // The pairs are already counted. 0 lifts the parser's limit, beyond which it silently drops pairs.
      return parseForm(bytes.toString(), '&', '=', { maxKeys: 0 })
    })
  }
  return new RequestBody(bytes, async () => {
    if (bytes.length > THREAD_BYTES)
      return thread.run({ bytes, maxValues: rule.maxValues }).catch((error) => {
        throw error instanceof SyntaxError ? notJson(error) : error
      })
    assertFewValues(bytes, rule.maxValues)
    if (bytes.length > LARGE_BYTES) await nextTurn()
    const text = bytes.toString()
    // Some clients send a content type without a body.
    if (text.trim() === '') return undefined
    let parsed: unknown
    parse(request, text, (error, value) => {
      if (error) throw notJson(error)
      parsed = value
    })
    return parsed
  })
}

/** Parses the body of a request; returns undefined if there is none. @throws AppError `malformed`, `too_large`, `invalid` */
export async function parseBody({ body }: Pick<FastifyRequest, 'body'>): Promise<unknown> {
  return body instanceof RequestBody ? await body.parse() : undefined
}

/** Returns the raw bytes of a body; empty if there is none. */
export function bodyBytes({ body }: Pick<FastifyRequest, 'body'>): Buffer {
  return body instanceof RequestBody ? body.bytes : Buffer.alloc(0)
}

const notJson = (cause: unknown) =>
  new AppError('malformed', 'The request body is not valid JSON.', { cause })
