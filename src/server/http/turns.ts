import type { FastifyReply } from 'fastify'
import { AppError } from '#shared/errors.ts'

/**
 * Lets each caller do only so much at once, so that what one asks for does not stand before what another asks for.
 * Who keeps more waiting than that, and not for a moment only, is served as if it asked for one thing after the other.
 */
export type Turns = {
  /**
   * Answers once the caller has a turn; it ends with the answer, or when `end` is called.
   * @throws AppError `rate_limited` when too many requests of the same caller wait already
   */
  take: (caller: string, reply: FastifyReply) => Promise<Turn>
}
export type Turn = { end: () => void }

/** How many may wait for each one that is worked on. */
const WAITING_PER_TURN = 100
/** The longest a turn rests before it goes to the next in a line, in milliseconds. */
const MAX_REST_MS = 2_000

/** A page that opens asks for much at once; a line that stands longer is no page, in milliseconds. */
const BURST_MS = 1_000

type Caller = { working: number; line: (() => void)[]; lineSince: number }

/** @param atOnce requests of one caller that are worked on at once */
export function createTurns(atOnce: number): Turns {
  const callers = new Map<string, Caller>()

  const next = (name: string, caller: Caller) => {
    const begin = caller.line.shift()
    if (begin) return begin()
    caller.working -= 1
    if (caller.working === 0) callers.delete(name)
  }
  return {
    take: async (name, reply) => {
      const caller = callers.get(name) ?? { working: 0, line: [], lineSince: 0 }
      callers.set(name, caller)
      if (caller.working < atOnce) caller.working += 1
      else if (caller.line.length >= atOnce * WAITING_PER_TURN) throw tooMany()
      else {
        if (caller.line.length === 0) caller.lineSince = performance.now()
        await new Promise<void>((begin) => caller.line.push(begin))
      }
      const started = performance.now()
      let isOver = false
      const end = () => {
        if (isOver) return
        isOver = true
        const now = performance.now()
        if (caller.line.length === 0 || now - caller.lineSince < BURST_MS) return next(name, caller)
        const rest = (now - started) * (atOnce - 1)
        setTimeout(() => next(name, caller), Math.min(rest, MAX_REST_MS))
      }
      if (reply.raw.destroyed || reply.raw.writableFinished) end()
      else reply.raw.once('close', end)
      return { end }
    },
  }
}

function tooMany(): AppError {
  return new AppError('rate_limited', 'Too many requests at once. Wait for those under way and try again.', {
    retryAfterSeconds: 1,
  })
}
