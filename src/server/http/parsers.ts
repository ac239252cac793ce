import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#shared/errors.ts'

/** JSON, form and multipart bodies. An empty JSON body is none: clients name the type on calls without a body, too. */
export function readBodies(http: FastifyInstance): void {
  const parse = http.getDefaultJsonParser('error', 'error')
  http.removeContentTypeParser(['application/json', 'text/plain'])
  http.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.trim() === '') return done(null, undefined)
    parse(request, body, (error, value) => done(error ? malformed(error) : null, value))
  })
  http.register(formbody)
  http.register(multipart)
}

function malformed(cause: unknown): AppError {
  return new AppError('malformed', 'The request body is not valid JSON.', { cause })
}
