import type { Kysely } from 'kysely'
import type { RunUsage } from '#shared/runs/runs/usage.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { createReservations, type Reservations } from '../../money/billing/billing.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { createEvents, type Events } from '../events/events.ts'
import type { LiveRun } from './context/live-run.ts'
import type { Agent } from './context/run-context.ts'

/** Called when a reply comes to its end; what it gives is stored together with the end. */
export type OnEnd = (ended: {
  run: LiveRun
  state: 'completed' | 'failed' | 'stopped'
  content: string
  usage: RunUsage
}) => Promise<((trx: Kysely<Tables>) => Promise<void>) | null>

/** The runs of this process. */
export type Engine = {
  deps: ModelDeps
  agents: Partial<Record<string, Agent>>
  /** Where what they say goes. */
  events: Events
  /** What calls under way have put aside of people's balances. */
  reservations: Reservations
  /** Runs held by this process, by run id. */
  live: Map<string, LiveRun>
  /** Called when these have changed. */
  onHeld: () => void
  /** What other features do at the end of a reply. */
  onEnd: OnEnd[]
  /** Runs being claimed right now. */
  claiming: Set<string>
  /** Runs this process let go although it lives: taking them up again is no loss of theirs. */
  letGo: Set<string>
  isDraining: boolean
  /** Whether it executes runs; otherwise it begins them for those processes that do, and ends what is to be stopped. */
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
    claiming: new Set(),
    letGo: new Set(),
    isDraining: false,
    works: deps.config.works,
    hasPeers: !deps.config.works,
  }
}

/** The run of a session that this process holds. */
export function liveRunOf(engine: Engine, sessionId: string): LiveRun | null {
  for (const run of engine.live.values()) if (run.sessionId === sessionId) return run
  return null
}
