import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { assertFewValues } from './body-bounds.ts'

/** JSON, form and multipart bodies. An empty JSON body is none: clients name the type on calls without a body, too. */
export function readBodies(http: FastifyInstance): void {
  const parse = http.getDefaultJsonParser('error', 'error')
  http.removeContentTypeParser(['application/json', 'text/plain'])
  http.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      assertFewValues(body)
    } catch (error) {
      return done(error as Error)
    }
    const text = body.toString()
    if (text.trim() === '') return done(null, undefined)
    parse(request, text, (error, value) => done(error ? malformed(error) : null, value))
  })
  http.register(formbody)
  http.register(multipart)
}

function malformed(cause: unknown): AppError {
  return new AppError('malformed', 'The request body is not valid JSON.', { cause })
}
