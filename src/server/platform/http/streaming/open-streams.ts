import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import type { Config } from '../../config/config.ts'
import { MEGABYTE } from '../../limits.ts'
import { type Backlog, createBacklog } from './backlog.ts'

/** The event streams of a process: how many one caller has open, and what all have not read yet. */
export type OpenStreams = { seats: Map<string, number>; mostSeats: number; backlog: Backlog }

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
    mostSeats: config.ATRIUM_LIMIT_STREAMS_PER_USER,
    backlog: createBacklog(config.ATRIUM_LIMIT_STREAM_BACKLOG_MB * MEGABYTE),
  })
}

/**
 * Takes one of the streams a caller may have, before anything is done for it; it is free again when the answer is over.
 * @throws AppError `rate_limited`
 */
export function takeSeat(request: FastifyRequest, { raw }: FastifyReply): void {
  const { seats, mostSeats } = request.server.openStreams
  const who = request.countedAs
  const taken = seats.get(who) ?? 0
  if (taken >= mostSeats) {
    const detail = `You have ${mostSeats} event streams open, which is the most at a time. Close one and try again.`
    throw new AppError('rate_limited', detail, { retryAfterSeconds: 5 })
  }
  // A reader that left before the answer began hears of no end.
  if (raw.destroyed) return
  seats.set(who, taken + 1)
  raw.once('close', () => {
    const left = (seats.get(who) ?? 1) - 1
    if (left > 0) seats.set(who, left)
    else seats.delete(who)
  })
}
