import { setTimeout as sleep } from 'node:timers/promises'
import { usuallyHasOneSlot } from '#shared/models/connections/one-slot.ts'
import type { Database } from '../../../platform/db/db.ts'
import type { Configured } from '../configured.ts'
import type { Caller, GivePart, ModelPart } from '../port.ts'
import { joinSlot, leaveSlot, type SlotState, trySlot } from './slot-store.ts'

/** Polling interval of the queue. Changes within this process are noticed immediately. */
const LOOK_MS = 250
/** Heartbeat interval of a person's running call, which never gives way. */
const SHOW_MS = 5_000

/** Time after which a background call no longer waits until the connection is idle, but takes its turn like a person's call. */
const MAX_BACKGROUND_WAIT_MS = 5 * 60_000

/** An unknown caller. */
export const nobody: Caller = { person: null, is_background: false }

/** Makes a call once its turn has come. */
export type AskInTurn = (signal: AbortSignal, give: GivePart) => Promise<void>

/** Queues of the connections that take one request at a time, shared by all processes. */
export type Slots = {
  /**
   * Runs a call when its turn comes. People's calls come first, in rounds of one call per person. A background call starts when the
   * connection is idle; it is aborted when a person's call arrives, and retried later. After five minutes it joins the rounds.
   * @throws errors of `ask`; the reason of `signal`
   */
  inTurn: (
    provider: string,
    caller: Caller,
    signal: AbortSignal,
    give: GivePart,
    ask: AskInTurn,
  ) => Promise<void>
}

export function createSlots(db: Database, backgroundWaitMs = MAX_BACKGROUND_WAIT_MS): Slots {
  const changes = new Map<string, PromiseWithResolvers<void>>()
  const changeOf = (provider: string) => {
    const change = changes.get(provider) ?? Promise.withResolvers<void>()
    changes.set(provider, change)
    return change.promise
  }
  const change = (provider: string) => {
    changes.get(provider)?.resolve()
    changes.delete(provider)
  }
  const pause = async (provider: string, ms: number, signal: AbortSignal) => {
    const over = new AbortController()
    const both = AbortSignal.any([signal, over.signal])
    await Promise.race([changeOf(provider), sleep(ms, undefined, { signal: both }).catch(() => {})])
    over.abort()
  }

  /** Ends a call. If the database cannot be reached, the call expires without heartbeats, and its outcome does not change. */
  const leave = async (provider: string, id: string) => {
    await leaveSlot(db, id).catch(() => {})
    change(provider)
  }

  /** Waits for the turn of a call and returns its id in the queue. Returns null for a background call after `lateAt`. */
  const enter = async (
    provider: string,
    caller: Caller,
    signal: AbortSignal,
    tell: (ahead: number) => void,
    lateAt: number,
  ) => {
    const { person, is_background } = caller
    let id = ''
    try {
      for (;;) {
        signal.throwIfAborted()
        if (is_background && performance.now() > lateAt) {
          if (id) await leave(provider, id)
          return null
        }
        const state: SlotState | null = id ? await trySlot(db, provider, id) : null
        if (state?.is_running) return id
        if (state) {
          tell(state.ahead)
          await pause(provider, LOOK_MS, signal)
        } else {
          id = await joinSlot(db, { provider, person: person ?? '', is_background })
          change(provider)
        }
      }
    } catch (error) {
      if (id) await leave(provider, id)
      throw error
    }
  }

  /** Sends heartbeats of a running call until `signal` is aborted. Calls `giveUp` when a person waits for its slot. */
  const watch = async (
    provider: string,
    id: string,
    caller: Caller,
    signal: AbortSignal,
    giveUp: () => void,
  ) => {
    while (!signal.aborted) {
      await pause(provider, caller.is_background ? LOOK_MS : SHOW_MS, signal)
      if (signal.aborted) return
      const state = await trySlot(db, provider, id).catch(() => null)
      if (state?.is_wanted) return giveUp()
    }
  }

  /** Runs a call once. Returns false if it was aborted for a person's call. */
  const ask = async (
    provider: string,
    id: string,
    caller: Caller,
    signal: AbortSignal,
    run: (until: AbortSignal) => Promise<void>,
  ) => {
    const over = new AbortController()
    const wanted = new AbortController()
    void watch(provider, id, caller, over.signal, () => wanted.abort())
    try {
      await run(AbortSignal.any([signal, wanted.signal]))
      return true
    } catch (error) {
      signal.throwIfAborted()
      if (!wanted.signal.aborted) throw error
      return false
    } finally {
      over.abort()
      await leave(provider, id)
    }
  }

  return {
    inTurn: async (provider, caller, signal, give, run) => {
      // Parts of a background call are buffered, so that an aborted attempt leaves none.
      let parts: ModelPart[] = []
      const take: GivePart = caller.is_background ? (part) => void parts.push(part) : give
      const lateAt = performance.now() + backgroundWaitMs
      let current = caller
      for (;;) {
        const told = createNotice(give)
        const tell = (ahead: number) => {
          if (!caller.is_background && ahead > 0) told(ahead)
        }
        const id = await enter(provider, current, signal, tell, lateAt)
        if (id === null) {
          current = inRounds(caller)
          continue
        }
        parts = []
        const begin = async (until: AbortSignal) => {
          told(null)
          await run(until, take)
        }
        if (!(await ask(provider, id, current, signal, begin))) continue
        for (const part of parts) give(part)
        return
      }
    },
  }
}

/** Returns the caller of a late background call. Its rounds are separate from those of its user, whose questions do not wait for it. */
const inRounds = ({ person }: Caller): Caller => ({ person: `${person ?? ''} late`, is_background: false })

/** Returns whether a connection takes one request at a time: the administrator's setting, otherwise the default for its address. */
export function takesOneAtATime({ base_url, limits }: Pick<Configured, 'base_url' | 'limits'>): boolean {
  return limits.one_at_a_time ?? usuallyHasOneSlot(base_url)
}

/** Emits the number of calls ahead whenever it changes, and once when the wait is over. */
function createNotice(give: GivePart): (ahead: number | null) => void {
  let told: number | null = null
  return (ahead) => {
    if (ahead === told) return
    told = ahead
    give({ type: 'waiting', limit: ahead === null ? null : { of: 'turn', ahead } })
  }
}
