import { setImmediate as nextTurn } from 'node:timers/promises'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { assertFewValues, LARGE_BYTES } from './body-bounds.ts'

/** A JSON body that has come, and is parsed when its caller has a turn. */
export class JsonBody {
  /** @throws AppError `malformed`, `too_large` */
  readonly parse: () => Promise<unknown>
  /** As it came: what is signed. */
  readonly bytes: Buffer

  constructor(bytes: Buffer, parse: () => Promise<unknown>) {
    this.bytes = bytes
    this.parse = parse
  }
}

/** JSON, form and multipart bodies. An empty JSON body is none: clients name the type on calls without a body, too. */
export function readBodies(http: FastifyInstance): void {
  const parse = http.getDefaultJsonParser('error', 'error')
  http.removeContentTypeParser(['application/json', 'text/plain'])
  http.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const read = async () => {
      assertFewValues(body)
      if (body.length > LARGE_BYTES) await nextTurn()
      const text = body.toString()
      if (text.trim() === '') return undefined
      let parsed: unknown
      parse(request, text, (error, value) => {
        if (error) throw malformed(error)
        parsed = value
      })
      return parsed
    }
    done(null, new JsonBody(body, read))
  })
  http.register(formbody)
  http.register(multipart)
}

/** A JSON body as it came, byte for byte; none gives none. */
export function bodyBytes({ body }: Pick<FastifyRequest, 'body'>): Buffer {
  return body instanceof JsonBody ? body.bytes : Buffer.alloc(0)
}

/** The reader of forms names no status for one that ends too soon. @throws AppError `malformed`, or what has a status */
export function refuseHalf(error: Error): never {
  if ('statusCode' in error || error instanceof AppError) throw error
  throw new AppError('malformed', 'The file did not arrive whole. Send it again.', { cause: error })
}

function malformed(cause: unknown): AppError {
  return new AppError('malformed', 'The request body is not valid JSON.', { cause })
}
