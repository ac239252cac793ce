import type { Streams } from './create-streams.ts'

/** How often it is looked whether any process works, in milliseconds. */
const LOOK_MS = 1_000
/** A worker that starts again is back within this time: until then nobody is worried. */
const PATIENCE_MS = 3_000

/**
 * Looks after those who follow runs while no process executes any, and tells each of them once; to be called as often as
 * they are looked after anyway.
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
    for (const follower of followers) {
      if (follower.where.runId === null || follower.isDelayed === isLong) continue
      follower.isDelayed = isLong
      if (isLong) follower.delayed()
    }
  }
}
