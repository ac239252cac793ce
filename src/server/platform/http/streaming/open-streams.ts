import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import type { Config } from '../../config/config.ts'
import { MEGABYTE } from '../../limits.ts'
import { type Backlog, createBacklog } from './backlog.ts'

/** The event streams of a process: the number open per caller, and the unread bytes of all. */
export type OpenStreams = { seats: Map<string, number>; maxSeats: number; backlog: Backlog }

declare module 'fastify' {
  interface FastifyInstance {
    openStreams: OpenStreams
  }
}

export function boundStreams(
  http: FastifyInstance,
  config: Pick<Config, 'ATRIUM_LIMIT_STREAMS_PER_USER' | 'ATRIUM_LIMIT_STREAM_BACKLOG_MB'>,
): void {
  http.decorate('openStreams', {
    seats: new Map(),
    maxSeats: config.ATRIUM_LIMIT_STREAMS_PER_USER,
    backlog: createBacklog(config.ATRIUM_LIMIT_STREAM_BACKLOG_MB * MEGABYTE),
  })
}

/**
 * Reserves one of the caller's streams before any work is done. The seat is released when the answer ends.
 * @throws AppError `rate_limited`
 */
export function takeSeat(request: FastifyRequest, { raw }: FastifyReply): void {
  const { seats, maxSeats } = request.server.openStreams
  const who = request.countedAs
  const taken = seats.get(who) ?? 0
  if (taken >= maxSeats) {
    const detail = `You have ${maxSeats} event streams open, the maximum. Close one and try again.`
    throw new AppError('rate_limited', detail, { retryAfterSeconds: 5 })
  }
  // A reader that disconnected before the answer began emits no end event.
  if (raw.destroyed) return
  seats.set(who, taken + 1)
  raw.once('close', () => {
    const left = (seats.get(who) ?? 1) - 1
    if (left > 0) seats.set(who, left)
    else seats.delete(who)
  })
}
