import type { Delayed, Follower, Streams } from './create-streams.ts'
import { findUnderWayIn } from './store.ts'

/** Interval between checks for a working process, in milliseconds. */
const LOOK_MS = 1_000
/** Grace period for a restarting worker, in milliseconds. No delay is reported before. */
const PATIENCE_MS = 3_000

/**
 * Creates a check that informs followers once per run when no process executes runs. Call it at every poll of the
 * followers.
 */
export function createAttendance({ deps, engine, followers }: Streams): () => Promise<void> {
  let lookedAt = Number.NEGATIVE_INFINITY
  let missingSince: number | null = null
  return async () => {
    const now = performance.now()
    if (engine.works || now - lookedAt < LOOK_MS) return
    lookedAt = now
    const isMissing = (await deps.instance.countWorkers()) === 0
    missingSince = isMissing ? (missingSince ?? now) : null
    const isLong = missingSince !== null && now - missingSince >= PATIENCE_MS
    const underWay = isLong
      ? await findUnderWayIn(deps.db, sessionsOf(followers))
      : new Map<string, Delayed>()
    for (const follower of followers) {
      const { runId, sessionId } = follower.where
      const run = underWay.get(sessionId)
      const delayed = runId === null || run?.id === runId ? run : undefined
      if (delayed && delayed.id !== follower.delayedRun) follower.delayed(delayed)
      follower.delayedRun = delayed?.id ?? null
    }
  }
}

const sessionsOf = (followers: Set<Follower>) => new Set([...followers].map(({ where }) => where.sessionId))
