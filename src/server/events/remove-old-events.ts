import { sql } from 'kysely'
import type { Platform } from '../platform.ts'

/** Hours for which the events of a run that is over can be replayed; later there is the finished message. */
const KEEP_HOURS = 24
const ROWS_AT_ONCE = 5_000

/** Removes sent events whose run ended more than 24 hours ago. */
export async function removeOldEvents({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - KEEP_HOURS * 3_600_000)
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from run_events where ctid in (
        select e.ctid from run_events e join runs r on r.id = e.run_id
        where r.finished_at < ${before} limit ${ROWS_AT_ONCE}
      )`.execute(db)
    if ((numAffectedRows ?? 0n) < BigInt(ROWS_AT_ONCE)) return
  }
}
