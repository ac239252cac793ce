import type { FastifyReply } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import type { Config } from '../../config/config.ts'
import { laneKind } from '../counted-address.ts'
import { createMeter } from './meter.ts'

export { createRates, type Rates } from './rates.ts'

/**
 * Limits the concurrent requests of each caller, so that one caller does not delay others. Each caller has a share of the
 * server's time. While others are active, a caller over its share is served one request at a time, with a rest after each
 * that grows with its cost. Reads of strangers are spaced much earlier, because twelve connections can send thousands a second.
 */
export type Turns = {
  /**
   * Resolves once the caller has a turn. The turn ends when the work is done and its answer read, or with `end`.
   * @throws AppError `rate_limited` if too many requests of the same caller already wait
   */
  take: (caller: string, reply: FastifyReply) => Promise<Turn>
  /** Waits the same way before a large body is read. Ends with the answer. */
  admit: (caller: string, reply: FastifyReply) => Promise<void>
  /**
   * Waits until a refusal may be answered, and charges its cost in milliseconds. Refusals have a separate lane per caller.
   * They do not make the caller count as active, and they rest even if no one else is active.
   * @throws AppError `rate_limited` like `take`
   */
  refuse: (caller: string, reply: Answer, ms: number) => Promise<void>
  /** Charges a caller for other work, in milliseconds. */
  charge: (caller: string, ms: number) => void
}
/** An answer, or the socket of one. */
type Answer = { raw: { destroyed: boolean } }
/**
 * `worked` reports that the work is done; its answer may still be in transit. `end` takes the maximum cost in milliseconds,
 * for work that mostly waited.
 */
export type Turn = { worked: () => void; end: (most?: number) => void }

/** Maximum waiting requests per concurrent one. */
const WAITING_PER_TURN = 100
/** Maximum large bodies of one caller that are being read or wait for their turn. */
const MAX_CONCURRENT_BODIES = 4
/** Waiting requests from which rests are twice as long as for a sequential client. */
const CROWD_SIZE = 20
/** Debt from which a caller is slowed down, and the maximum debt, in milliseconds. */
const BURST_MS = 1_500
const MAX_DEBT_MS = 10_000
/** Debt from which reads and probes of an address are spaced while others are active, and their share from then on. Probes keep it. */
const READ_BURST_MS = 250
const READ_SHARE = 0.25
/** Cost of a read outside its turn: its connection, its head and its line in the log. */
const READ_HEAD_MS = 0.3
/** Maximum cost of a request. A longer one mostly waits for something outside. */
const MAX_COST_MS = 2_500
/** Shorter rests are added to the next one, because timers are not precise enough for them. */
const MIN_REST_MS = 4
/** Time for which a caller counts as active after a request. */
const PRESENT_MS = 10_000

type Lane = { busy: number; line: (() => void)[] }
type Caller = {
  name: string
  isRefused: boolean
  /** Set for a lane of strangers at an address: whether they read or probe. */
  kind: ReturnType<typeof laneKind>
  turns: Lane
  bodies: Lane
  /** Time used beyond its share, as of `at`. */
  debt: number
  at: number
  restsUntil: number
  timer: NodeJS.Timeout | undefined
}

type Limits = Pick<Config, 'ATRIUM_LIMIT_REQUESTS_AT_ONCE' | 'ATRIUM_LIMIT_SHARE_PERCENT'>

export function createTurns(limits: Limits): Turns {
  /** Concurrent requests per caller. */
  const atOnce = limits.ATRIUM_LIMIT_REQUESTS_AT_ONCE
  /** Long-term share of the time per caller while others are active. */
  const share = limits.ATRIUM_LIMIT_SHARE_PERCENT / 100
  const callers = new Map<string, Caller>()
  const meter = createMeter()
  /** The latest caller and the one before. */
  let newest = { name: '', at: Number.NEGATIVE_INFINITY }
  let other = newest

  const find = (name: string, isRefused = false): Caller => {
    const known = callers.get(name)
    if (known) return known
    const lanes = { turns: { busy: 0, line: [] }, bodies: { busy: 0, line: [] } }
    const caller = {
      name,
      isRefused,
      kind: laneKind(name),
      ...lanes,
      debt: 0,
      at: 0,
      restsUntil: 0,
      timer: undefined,
    }
    callers.set(name, caller)
    return caller
  }
  /** Returns the share of the time that a caller may use now; 1 if it need not rest. */
  const shareOf = (caller: Caller) => {
    const now = performance.now()
    caller.debt = Math.max(0, caller.debt - (now - caller.at) * share)
    caller.at = now
    const last = newest.name === caller.name ? other : newest
    const mustRest = caller.isRefused || now - last.at < PRESENT_MS
    if (!mustRest) return 1
    if (caller.debt > BURST_MS && caller.kind !== 'probe') return share
    return caller.kind && caller.debt > READ_BURST_MS ? Math.max(share, READ_SHARE) : 1
  }
  const charge = (caller: Caller, ms: number) => {
    const shareNow = shareOf(caller)
    caller.debt = Math.min(caller.debt + ms, MAX_DEBT_MS)
    if (shareNow === 1) return
    const now = performance.now()
    const longer = caller.turns.line.length >= CROWD_SIZE ? 2 : 1
    const rest = Math.max(now, caller.restsUntil) + ms * (1 / shareNow - 1) * longer
    caller.restsUntil = Math.min(rest, now + MAX_DEBT_MS)
  }
  /** Starts waiting requests that may start, and runs again when the rest is over. */
  const goOn = (caller: Caller) => {
    clearTimeout(caller.timer)
    const isGreedy = shareOf(caller) < 1
    const rest = isGreedy ? caller.restsUntil - performance.now() : 0
    for (const [lane, most] of [
      [caller.turns, isGreedy ? 1 : atOnce],
      [caller.bodies, isGreedy ? 1 : MAX_CONCURRENT_BODIES],
    ] as const) {
      while (rest <= MIN_REST_MS && lane.busy < most && lane.line.length > 0) {
        lane.busy += 1
        lane.line.shift()?.()
      }
    }
    const isIdle = caller.turns.busy + caller.bodies.busy === 0
    const isWaiting = caller.turns.line.length + caller.bodies.line.length > 0
    if (isIdle && !isWaiting && caller.debt === 0) callers.delete(caller.name)
    else if (rest > MIN_REST_MS || (isIdle && !isWaiting)) {
      const ms = isWaiting ? rest : caller.debt / share
      caller.timer = setTimeout(() => goOn(caller), Math.ceil(ms) + 1).unref()
    }
  }
  /** Waits for a place in a lane. Returns a function that releases it. */
  const enter = async (caller: Caller, lane: Lane, { raw }: Answer) => {
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
    throw new AppError('malformed', 'The client disconnected before its turn.')
  }
  return {
    take: async (name, reply) => {
      const caller = find(name)
      // A probe makes no one rest.
      if (caller.kind !== 'probe') {
        if (newest.name !== name) other = newest
        newest = { name, at: performance.now() }
      }
      const leave = await enter(caller, caller.turns, reply)
      const took = meter.begin()
      let isWorking = true
      const worked = (most = MAX_COST_MS) => {
        if (!isWorking) return
        isWorking = false
        charge(caller, Math.min(took(), most) + (caller.kind ? READ_HEAD_MS : 0))
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
  return new AppError(
    'rate_limited',
    'Too many concurrent requests. Wait for some to finish and try again.',
    {
      retryAfterSeconds: 1,
    },
  )
}
