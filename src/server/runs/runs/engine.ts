import type { Kysely } from 'kysely'
import type { RunUsage } from '#shared/runs/runs/usage.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { createReservations, type Reservations } from '../../money/billing/billing.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { createEvents, type Events } from '../events/events.ts'
import type { LiveRun } from './context/live-run.ts'
import type { Agent } from './context/run-context.ts'

/** Called when a reply ends. Its writes commit together with the end. */
export type OnEnd = (ended: {
  run: LiveRun
  state: 'completed' | 'failed' | 'stopped'
  content: string
  usage: RunUsage
}) => Promise<((trx: Kysely<Tables>) => Promise<void>) | null>

/**
 * Returns the `client_id` of the message that a session answers next without a request, or null. The session is locked and idle.
 */
export type FindNext = (trx: Kysely<Tables>, sessionId: string) => Promise<string | null>

/** The run engine of one process. */
export type Engine = {
  deps: ModelDeps
  agents: Partial<Record<string, Agent>>
  /** Destination of run events. */
  events: Events
  /** Reservations of active model calls on users' balances. */
  reservations: Reservations
  /** Runs owned by this process, by run id. */
  live: Map<string, LiveRun>
  /** Called when `live` has changed. */
  onHeld: () => void
  /** Hooks of other features for the end of a reply. */
  onEnd: OnEnd[]
  /** Set by the message queue. No other run of the session starts before that message. */
  findNext: FindNext
  /** Runs being claimed. */
  claiming: Set<string>
  /** Runs released by this live process; resuming them does not count as a loss. */
  letGo: Set<string>
  isDraining: boolean
  /** Whether this process executes runs. Otherwise it queues new runs and only ends those to be stopped. */
  works: boolean
  /** Whether other processes share the database. */
  hasPeers: boolean
}

export function createEngine(deps: ModelDeps, agents: Engine['agents']): Engine {
  return {
    deps,
    agents,
    events: createEvents(deps),
    reservations: createReservations(deps),
    live: new Map(),
    onHeld: () => undefined,
    onEnd: [],
    findNext: async () => null,
    claiming: new Set(),
    letGo: new Set(),
    isDraining: false,
    works: deps.config.works,
    hasPeers: !deps.config.works,
  }
}

/** Returns the run of a session that this process owns, or null. */
export function liveRunOf(engine: Engine, sessionId: string): LiveRun | null {
  for (const run of engine.live.values()) if (run.sessionId === sessionId) return run
  return null
}
