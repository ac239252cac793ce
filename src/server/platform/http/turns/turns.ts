import type { FastifyReply } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import type { Config } from '../../config/config.ts'
import { createMeter } from './meter.ts'

export { createRates, type Rates } from './rates.ts'

/**
 * Lets each caller do only so much at once, so that what one asks for does not stand before what another asks for.
 * Each has a share of the server's time. Who has had more is served one thing after the other, with a rest after each
 * that grows with what it took, while somebody else is there.
 */
export type Turns = {
  /**
   * Answers once the caller has a turn; it ends when the work is over and its answer read, or with `end`.
   * @throws AppError `rate_limited` when too many requests of the same caller wait already
   */
  take: (caller: string, reply: FastifyReply) => Promise<Turn>
  /** The same before a large body is read; it ends with the answer. */
  admit: (caller: string, reply: FastifyReply) => Promise<void>
  /**
   * Waits until a refusal may be answered, and counts it with so many milliseconds. Refusals of a caller have a lane of
   * their own. They count as nobody's presence, and rest even while nobody else is there.
   * @throws AppError `rate_limited` like `take`
   */
  refuse: (caller: string, reply: FastifyReply, ms: number) => Promise<void>
  /** Counts what was done for a caller besides, in milliseconds. */
  charge: (caller: string, ms: number) => void
}
/**
 * `worked` tells that the work is over; its answer may still be on its way. `end` may say what it counts at most, in
 * milliseconds, where most of its time was waiting.
 */
export type Turn = { worked: () => void; end: (most?: number) => void }

/** How many may wait for each one that is worked on. */
const WAITING_PER_TURN = 100
/** Large bodies of one caller that are read, or have been and wait for their turn. */
const BODIES_AT_ONCE = 4
/** So many waiting are a crowd: its rests are twice as long as those of a program that asks one thing after the other. */
const CROWD = 20
/** What one may have had beyond that before it is slowed, and the most that is remembered, in milliseconds. */
const BURST_MS = 1_500
const MAX_DEBT_MS = 10_000
/** The longest a request counts for: what takes longer waits for something outside. */
const MAX_COST_MS = 2_500
/** How long somebody counts as being there after a request, in milliseconds. */
const PRESENT_MS = 10_000

type Lane = { busy: number; line: (() => void)[] }
type Caller = {
  name: string
  isRefused: boolean
  turns: Lane
  bodies: Lane
  /** What it had beyond its share, as it was at `at`. */
  debt: number
  at: number
  restsUntil: number
  timer: NodeJS.Timeout | undefined
}

type Limits = Pick<Config, 'ATRIUM_LIMIT_REQUESTS_AT_ONCE' | 'ATRIUM_LIMIT_SHARE_PERCENT'>

export function createTurns(limits: Limits): Turns {
  /** Requests of one caller that are worked on at once. */
  const atOnce = limits.ATRIUM_LIMIT_REQUESTS_AT_ONCE
  /** What one caller may have of the time while others are there, on the long run. */
  const share = limits.ATRIUM_LIMIT_SHARE_PERCENT / 100
  const callers = new Map<string, Caller>()
  const meter = createMeter()
  /** Who asked last, and who did before them. */
  let newest = { name: '', at: Number.NEGATIVE_INFINITY }
  let other = newest

  const find = (name: string, isRefused = false): Caller => {
    const known = callers.get(name)
    if (known) return known
    const lanes = { turns: { busy: 0, line: [] }, bodies: { busy: 0, line: [] } }
    const caller = { name, isRefused, ...lanes, debt: 0, at: 0, restsUntil: 0, timer: undefined }
    callers.set(name, caller)
    return caller
  }
  const isSlowed = (caller: Caller) => {
    const now = performance.now()
    caller.debt = Math.max(0, caller.debt - (now - caller.at) * share)
    caller.at = now
    const last = newest.name === caller.name ? other : newest
    const mustRest = caller.isRefused || now - last.at < PRESENT_MS
    return share < 1 && caller.debt > BURST_MS && mustRest
  }
  const charge = (caller: Caller, ms: number) => {
    const isInDebt = isSlowed(caller)
    caller.debt = Math.min(caller.debt + ms, MAX_DEBT_MS)
    if (!isInDebt) return
    const now = performance.now()
    const longer = caller.turns.line.length >= CROWD ? 2 : 1
    const rest = Math.max(now, caller.restsUntil) + ms * (1 / share - 1) * longer
    caller.restsUntil = Math.min(rest, now + MAX_DEBT_MS)
  }
  /** Begins what may begin, and comes back when the rest is over. */
  const goOn = (caller: Caller) => {
    clearTimeout(caller.timer)
    const isGreedy = isSlowed(caller)
    const rest = isGreedy ? caller.restsUntil - performance.now() : 0
    for (const [lane, most] of [
      [caller.turns, isGreedy ? 1 : atOnce],
      [caller.bodies, isGreedy ? 1 : BODIES_AT_ONCE],
    ] as const) {
      while (rest <= 0 && lane.busy < most && lane.line.length > 0) {
        lane.busy += 1
        lane.line.shift()?.()
      }
    }
    const isIdle = caller.turns.busy + caller.bodies.busy === 0
    const isWaiting = caller.turns.line.length + caller.bodies.line.length > 0
    if (isIdle && !isWaiting && caller.debt === 0) callers.delete(caller.name)
    else if (rest > 0 || (isIdle && !isWaiting)) {
      const ms = isWaiting ? rest : caller.debt / share
      caller.timer = setTimeout(() => goOn(caller), Math.ceil(ms) + 1).unref()
    }
  }
  /** Waits for a place in a lane; answers what gives it back. */
  const enter = async (caller: Caller, lane: Lane, { raw }: FastifyReply) => {
    if (lane.line.length >= atOnce * WAITING_PER_TURN) throw tooMany()
    await new Promise<void>((begin) => {
      lane.line.push(begin)
      goOn(caller)
    })
    let isOver = false
    const leave = () => {
      if (isOver) return
      isOver = true
      lane.busy -= 1
      goOn(caller)
    }
    if (!raw.destroyed) return leave
    leave()
    throw new AppError('malformed', 'Nobody waits for the answer any more.')
  }
  return {
    take: async (name, reply) => {
      const caller = find(name)
      if (newest.name !== name) other = newest
      newest = { name, at: performance.now() }
      const leave = await enter(caller, caller.turns, reply)
      const took = meter.begin()
      let isWorking = true
      const worked = (most = MAX_COST_MS) => {
        if (!isWorking) return
        isWorking = false
        charge(caller, Math.min(took(), most))
        if (reply.raw.destroyed || reply.raw.writableFinished) leave()
        else reply.raw.once('close', leave)
      }
      const end = (most?: number) => {
        worked(most)
        leave()
      }
      return { worked: () => worked(), end }
    },
    admit: async (name, reply) => {
      const caller = find(name)
      const leave = await enter(caller, caller.bodies, reply)
      reply.raw.once('close', leave)
    },
    refuse: async (name, reply, ms) => {
      const caller = find(`${name}/refused`, true)
      const leave = await enter(caller, caller.turns, reply)
      charge(caller, ms)
      leave()
    },
    charge: (name, ms) => {
      const caller = find(name)
      charge(caller, ms)
      goOn(caller)
    },
  }
}

function tooMany(): AppError {
  return new AppError('rate_limited', 'Too many requests at once. Wait for those under way and try again.', {
    retryAfterSeconds: 1,
  })
}
