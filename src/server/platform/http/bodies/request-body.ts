import { parse as parseForm } from 'node:querystring'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import { assertFewPairs, assertFewValues, LARGE_BYTES } from '../body-bounds.ts'
import { type BodyRule, FORM_TYPE, typeOf } from './body-rule.ts'

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
    assertFewValues(bytes, rule.maxValues)
    if (bytes.length > LARGE_BYTES) await nextTurn()
    const text = bytes.toString()
    // Some clients send a content type without a body.
    if (text.trim() === '') return undefined
    let parsed: unknown
    parse(request, text, (error, value) => {
      if (error) throw new AppError('malformed', 'The request body is not valid JSON.', { cause: error })
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
