import { readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { EMBED_SCRIPT } from '#shared/chat/embeds/addresses.ts'
import { AppError } from '#shared/platform/errors.ts'
import { API_BASE } from '#shared/platform/http.ts'
import { checkout } from '../../process/checkout.ts'
import { encode, encodingFor } from '../accepted-encoding.ts'
import { sendError } from '../answer-errors.ts'
import { filesLaneOf, laneOf } from '../counted-address.ts'
import type { Turns } from '../turns/turns.ts'
import { type BuiltFile, openBuiltFiles } from './built-files.ts'

/** Returns the sites that may frame a page as CSP sources, or where to redirect the frame. Null: no site may frame the page. */
export type Framing = (
  request: FastifyRequest,
) => Promise<{ ancestors: readonly string[] } | { redirect: string } | null>

type Web = { folder: string; page: string | null; framing: Framing; turns: Turns }

/** Maximum cost of sending a file from memory, in milliseconds. */
const FILE_MS = 1

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

/**
 * Serves the built interface: hashed files with an unlimited lifetime, and its page at every address of the application. All of it
 * takes turns by address, files in a lane of their own, so that strangers who only read do not delay others.
 */
export function serveWeb(http: FastifyInstance, { folder, page, framing, turns }: Web): void {
  const sendPage = page === null ? null : createPageSender(page, framing, turns)
  if (sendPage) {
    const files = openBuiltFiles(folder)
    http.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
      const file = files.read(request.params['*'], encodingFor(request.headers['accept-encoding']))
      if (!file) return reply.callNotFound()
      const turn = await turns.take(filesLaneOf(request), reply)
      request.hadTurn = true
      try {
        sendFile(request, reply, await file)
        // Other requests continue in between, and a slow reader of shared bytes occupies no turn.
        await nextTurn()
      } finally {
        turn.end(FILE_MS)
      }
      return reply
    })
    http.get('/', sendPage)
  }
  http.setNotFoundHandler(async (request, reply) => {
    const [path = ''] = request.url.split('?')
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    const isFile = path.startsWith('/assets/') || path.startsWith(API_BASE) || path.startsWith('/api/')
    if (sendPage === null || !isPage || isFile)
      return sendError(reply, new AppError('not_found', 'Not found'))
    // A shared page is for holders of its link, not for search engines.
    if (path.startsWith('/s/') || path.startsWith('/receipt/'))
      reply.header('x-robots-tag', 'noindex, nofollow')
    return sendPage(request, reply)
  })
}

/** Serves no pages; every address without a route answers 404. */
export function serveNothing(http: FastifyInstance): void {
  http.setNotFoundHandler((_, reply) => sendError(reply, new AppError('not_found', 'Not found')))
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): void {
  const [path = ''] = request.url.split('?')
  const isHashed = path.startsWith('/assets/')
  reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
  reply.header('etag', file.etag).header('vary', 'accept-encoding')
  // A frame without an origin, such as a diagram's, loads its code as a foreign site does.
  if (isHashed) reply.header('access-control-allow-origin', '*')
  // Other sites load it to embed an assistant.
  if (path === EMBED_SCRIPT) reply.header('cross-origin-resource-policy', 'cross-origin')
  if (request.headers['if-none-match'] === file.etag) return void reply.status(304).send()
  if (file.encoding) reply.header('content-encoding', file.encoding)
  reply.type(file.type).send(file.bytes)
}

/** Creates the handler of the page, which is compressed once. */
function createPageSender(page: string, framing: Framing, turns: Turns) {
  const encoded = encode(Buffer.from(page))
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const turn = await turns.take(laneOf(request), reply)
    request.hadTurn = true
    try {
      const frame = await framing(request)
      if (frame && 'redirect' in frame)
        return reply.header('cache-control', 'no-store').redirect(frame.redirect)
      if (frame) allowFrames(reply, frame.ancestors)
      const encoding = encodingFor(request.headers['accept-encoding'])
      if (encoding !== 'plain') reply.header('content-encoding', encoding)
      reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-cache')
        .header('vary', 'accept-encoding')
      return reply.send((await encoded)[encoding])
    } finally {
      turn.worked()
    }
  }
}

function allowFrames(reply: FastifyReply, ancestors: readonly string[]): void {
  const policy = String(reply.getHeader('content-security-policy'))
  const wider = policy.replace("frame-ancestors 'none'", `frame-ancestors ${ancestors.join(' ')}`)
  // This header cannot list sites, and some browsers prefer it to the policy.
  reply.header('content-security-policy', wider).removeHeader('x-frame-options')
}
