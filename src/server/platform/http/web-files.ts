import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { EMBED_SCRIPT } from '#shared/chat/embeds/addresses.ts'
import { AppError } from '#shared/platform/errors.ts'
import { API_BASE } from '#shared/platform/http.ts'
import { checkout } from '../process/checkout.ts'
import { sendError } from './answer-errors.ts'

/** Returns the sites that may frame a page as CSP sources, or where to redirect the frame. Null: no site may frame the page. */
export type Framing = (
  request: FastifyRequest,
) => Promise<{ ancestors: readonly string[] } | { redirect: string } | null>

/** Output folder of the web build. */
export const webFolder = fileURLToPath(new URL('dist/web/', checkout))

/** Returns the HTML page of the interface; null if it was never built. */
export function readPage(folder: string): string | null {
  try {
    return readFileSync(`${folder}/index.html`, 'utf8')
  } catch {
    return null
  }
}

/** Serves the built interface: hashed files with an unlimited lifetime, and its page at every address of the application. */
export function serveWeb(
  http: FastifyInstance,
  { folder, page, framing }: { folder: string; page: string | null; framing: Framing },
): void {
  if (page !== null) {
    http.register(fastifyStatic, {
      root: folder,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const isHashed = path.includes('/assets/')
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
        // A frame without an origin, such as a diagram's, loads its code as a foreign site does.
        if (isHashed) reply.header('access-control-allow-origin', '*')
        // Other sites load it to embed an assistant. `path` is that of the compressed file.
        if (path.includes(EMBED_SCRIPT)) reply.header('cross-origin-resource-policy', 'cross-origin')
      },
    })
    http.get('/', (request, reply) => sendPage(request, reply, page, framing))
  }
  http.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?')
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    const isFile = path.startsWith('/assets/') || path.startsWith(API_BASE) || path.startsWith('/api/')
    if (page === null || !isPage || isFile) return sendError(reply, new AppError('not_found', 'Not found'))
    // A shared page is for holders of its link, not for search engines.
    if (path.startsWith('/s/') || path.startsWith('/receipt/'))
      reply.header('x-robots-tag', 'noindex, nofollow')
    return sendPage(request, reply, page, framing)
  })
}

/** Serves no pages; every address without a route answers 404. */
export function serveNothing(http: FastifyInstance): void {
  http.setNotFoundHandler((_, reply) => sendError(reply, new AppError('not_found', 'Not found')))
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, page: string, framing: Framing) {
  const frame = await framing(request)
  if (frame && 'redirect' in frame) {
    return reply.header('cache-control', 'no-store').redirect(frame.redirect)
  }
  if (frame) allowFrames(reply, frame.ancestors)
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page)
}

function allowFrames(reply: FastifyReply, ancestors: readonly string[]): void {
  const policy = String(reply.getHeader('content-security-policy'))
  const wider = policy.replace("frame-ancestors 'none'", `frame-ancestors ${ancestors.join(' ')}`)
  // This header cannot list sites, and some browsers prefer it to the policy.
  reply.header('content-security-policy', wider).removeHeader('x-frame-options')
}
