import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import type { Config } from '../../config/config.ts'
import { boundBodyTime, LARGE_BYTES } from '../body-bounds.ts'
import { laneOf } from '../counted-address.ts'
import type { Turns } from '../turns/turns.ts'
import { assertReadable, type BodyRule, bytesOf, hasBody, MULTIPART_TYPE, typeOf } from './body-rule.ts'
import { closeUnread, ignorePipelined } from './hang-up.ts'
import { createBody } from './request-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Key for counting: the caller's id, otherwise the lane of the address. Empty until it is known. */
    countedAs: string
    /** Whether the request has had a turn, so that its cost is counted. */
    hadTurn: boolean
  }
}

type Needs = { turns: Turns; config: Pick<Config, 'ATRIUM_LIMIT_BODY_SECONDS'> }

/** Cost of a body refused unread: its connection and the bytes received. */
const REFUSED_MS = 20
/** Cost of receiving a body from an unknown caller. */
const RECEIVED_MS = 1
const BYTES_PER_MS = 32 * 1024
/** Limits of a form with files. Routes set the number and size of the files. */
const FORM_LIMITS = { fields: 200, fieldSize: 4096, fieldNameSize: 200, parts: 400, headerPairs: 50 }
const READS_NONE = ['GET', 'HEAD']

/**
 * Reads the bodies of all routes. A body is read once the caller is known, within the types and size of its route, and
 * parsed later, during the caller's turn. Routes without a `BodyRule` and unknown addresses read none.
 * Must be registered before all routes.
 */
export function readBodies(http: FastifyInstance, needs: Needs): void {
  http.decorateRequest('countedAs', '')
  http.decorateRequest('hadTurn', false)
  ignorePipelined(http)
  http.addHook('onRoute', assertGated)
  http.addHook('preParsing', async (request, reply) => {
    const rule = ruleOf(request)
    if (rule) await admitBody(request, reply, rule, needs)
  })
  http.addHook('onSend', async (request, reply) => closeUnread(request, reply))
  awaitContinue(http)
  const parse = http.getDefaultJsonParser('error', 'error')
  http.removeAllContentTypeParsers()
  http.addContentTypeParser('*', async (request: FastifyRequest) => {
    const rule = ruleOf(request)
    if (!rule) return undefined
    const bytes = await readBytes(request, rule.maxBytes)
    // Refusing a body from an unknown caller costs almost nothing, but receiving it does.
    if (request.countedAs === laneOf(request))
      needs.turns.charge(request.countedAs, RECEIVED_MS + bytes.length / BYTES_PER_MS)
    return createBody(request, bytes, rule, parse)
  })
  http.register(multipart, { limits: FORM_LIMITS })
  http.after(() => {
    http.addContentTypeParser = () => {
      throw new Error('Bodies are read in one place. Say in the BodyRule of the route which types it reads.')
    }
  })
}

function assertGated({ method, url, config }: RouteOptions): void {
  if (config?.body !== undefined || [method].flat().every((one) => READS_NONE.includes(one))) return
  throw new Error(`${method} ${url} has no rule for its body. Add it with serve() or addRoute().`)
}

/** Returns the body rule of a request; null if it reads no body. */
function ruleOf(request: FastifyRequest): BodyRule | null {
  if (request.is404 || !hasBody(request) || READS_NONE.includes(request.method)) return null
  return request.routeOptions.config.body ?? null
}

/** Admits a body by type and size. A large one waits until its caller has room. Routes read files themselves. */
async function admitBody(request: FastifyRequest, reply: FastifyReply, rule: BodyRule, needs: Needs) {
  const { turns, config } = needs
  assertReadable(rule, request)
  if (typeOf(request) !== MULTIPART_TYPE) {
    const isTooLarge = Number.isFinite(bytesOf(request)) && bytesOf(request) > rule.maxBytes
    if (isTooLarge || Math.min(bytesOf(request), rule.maxBytes) > LARGE_BYTES)
      await turns.admit(request.countedAs, reply)
    if (isTooLarge) {
      turns.charge(request.countedAs, REFUSED_MS)
      throw tooLarge()
    }
  }
  boundBodyTime(request, rule.maxBytes, config)
  if (request.headers.expect !== undefined) reply.raw.writeContinue()
}

/** Reads a whole body. @throws AppError `too_large`, `malformed` */
function readBytes({ raw }: FastifyRequest, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const end = (settle: () => void) => {
      raw.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut)
      settle()
    }
    const onData = (chunk: Buffer) => {
      length += chunk.length
      chunks.push(chunk)
      if (length <= maxBytes) return
      raw.pause()
      end(() => reject(tooLarge()))
    }
    const onEnd = () => end(() => resolve(Buffer.concat(chunks, length)))
    const onCut = () => end(() => reject(new AppError('malformed', 'The request body did not arrive whole.')))
    raw.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut)
  })
}

/** Sends 100 Continue only when the body is wanted; by default Node always sends it. */
function awaitContinue({ server }: FastifyInstance): void {
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
}

const tooLarge = () => new AppError('too_large', 'The request is too large.')
