import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { API_BASE } from '#shared/http.ts'
import { sendError } from './answer-errors.ts'

/** Where the build puts the interface. */
export const webFolder = fileURLToPath(new URL('../../../dist/web/', import.meta.url))

/** The page of the interface, or null when it was never built. */
export function readPage(folder: string): string | null {
  try {
    return readFileSync(`${folder}/index.html`, 'utf8')
  } catch {
    return null
  }
}

/** Serves the built interface: hashed files for ever, its page for every address of the application. */
export function serveWeb(http: FastifyInstance, folder: string, page: string | null): void {
  if (page !== null) {
    http.register(fastifyStatic, {
      root: folder,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const isHashed = path.includes('/assets/')
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
        // A frame without an origin (diagrams are drawn in one) loads its code as a stranger would.
        if (isHashed) reply.header('access-control-allow-origin', '*')
      },
    })
    http.get('/', (_, reply) => sendPage(reply, page))
  }
  http.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?')
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    const isFile = path.startsWith('/assets/') || path.startsWith(API_BASE) || path.startsWith('/api/')
    if (page === null || !isPage || isFile) return sendError(reply, new AppError('not_found', 'Not found'))
    // What a link shows is for whoever has it, and for no search engine.
    if (path.startsWith('/s/')) reply.header('x-robots-tag', 'noindex, nofollow')
    return sendPage(reply, page)
  })
}

/** Serves no page: whatever has no route is not there. */
export function serveNothing(http: FastifyInstance): void {
  http.setNotFoundHandler((_, reply) => sendError(reply, new AppError('not_found', 'Not found')))
}

function sendPage(reply: FastifyReply, page: string) {
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page)
}
