import type { Config } from './config.ts'
import type { Database } from './db/db.ts'
import type { Log } from './log.ts'

/** Time, so that a test can decide what time it is. */
export type Clock = { now(): Date }

/** What every use-case may be handed; a feature takes the few it needs with `Pick`. */
export type Deps = { config: Config; db: Database; log: Log; clock: Clock }
