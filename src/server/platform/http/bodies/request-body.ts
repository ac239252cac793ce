import { parse as parseForm } from 'node:querystring'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import { assertFewPairs, assertFewValues, LARGE_BYTES } from '../body-bounds.ts'
import { type BodyRule, FORM_TYPE, typeOf } from './body-rule.ts'

type ParseJson = ReturnType<FastifyInstance['getDefaultJsonParser']>

/** A body that has arrived. It is parsed when its caller has a turn. */
export class RequestBody {
  /** As it came: what is signed. */
  readonly bytes: Buffer
  /** @throws AppError `malformed`, `too_large`, `invalid` */
  readonly parse: () => Promise<unknown>

  constructor(bytes: Buffer, parse: () => Promise<unknown>) {
    this.bytes = bytes
    this.parse = parse
  }
}

/** Wraps the bytes of a body: a form or JSON, by its type. Nothing is parsed yet. */
export function createBody(
  request: FastifyRequest,
  bytes: Buffer,
  rule: BodyRule,
  parse: ParseJson,
): RequestBody {
  if (typeOf(request) === FORM_TYPE) {
    return new RequestBody(bytes, async () => {
      assertFewPairs(bytes, rule.maxValues)
      // The pairs are counted already: 0 lifts the limit of the parser, which would drop the rest silently.
      return parseForm(bytes.toString(), '&', '=', { maxKeys: 0 })
    })
  }
  return new RequestBody(bytes, async () => {
    assertFewValues(bytes, rule.maxValues)
    if (bytes.length > LARGE_BYTES) await nextTurn()
    const text = bytes.toString()
    // Clients name the type on calls without a body, too.
    if (text.trim() === '') return undefined
    let parsed: unknown
    parse(request, text, (error, value) => {
      if (error) throw new AppError('malformed', 'The request body is not valid JSON.', { cause: error })
      parsed = value
    })
    return parsed
  })
}

/** Parses the body of a request; undefined without one. @throws AppError `malformed`, `too_large`, `invalid` */
export async function parseBody({ body }: Pick<FastifyRequest, 'body'>): Promise<unknown> {
  return body instanceof RequestBody ? await body.parse() : undefined
}

/** The bytes of a body as they came; empty without one. */
export function bodyBytes({ body }: Pick<FastifyRequest, 'body'>): Buffer {
  return body instanceof RequestBody ? body.bytes : Buffer.alloc(0)
}
