import * as contract from '#shared/chat/schedules/schedule-administration.ts'
import { auditBy, changed } from '../../../identity/audit/audit.ts'
import { type Server, serve } from '../../../platform/http/serve.ts'
import type { Deps } from '../../../tools/deps.ts'
import { readLimits, readNow, writeLimits } from '../limit-store.ts'
import { stopQuietly } from '../running/run-schedules.ts'
import { sayRule } from '../texts.ts'
import { nextOf } from '../to-schedule.ts'
import { listMemberSchedules, stopByAdministrator } from './administration-store.ts'

/** Serves the schedules of the people whom an administrator manages, and the limits of all schedules. */
export function serveAdministration(server: Server, deps: Deps): void {
  const { db } = deps
  serve(server, contract.listMemberSchedules, {
    handle: async ({ user, query: { page, limit } }) => {
      const { rows, total } = await listMemberSchedules(db, user, { skip: (page - 1) * limit, limit })
      const now = await readNow(db)
      const items = rows.map((row) => {
        const { rule: _rule, time_zone: _zone, anchor_at: _anchor, ...rest } = row
        return { ...rest, sentence: sayRule(row, user.language), next_at: nextOf(row, now) }
      })
      return { items, total, limits: await readLimits(db) }
    },
  })
  serve(server, contract.stopMemberSchedule, {
    handle: async ({ user, params: { memberScheduleId: id }, request }) => {
      const runs = await db.transaction().execute(async (trx) => {
        const { stopped, runs } = await stopByAdministrator(trx, id)
        const done = { did: 'schedule.stopped' as const, subjectId: id }
        if (stopped) await auditBy(deps, { user, request })(trx, { ...done, subject: stopped.name })
        return runs
      })
      for (const run of runs) await stopQuietly(deps, run)
      return { message: 'The schedule was stopped.' }
    },
  })
  serve(server, contract.setScheduleLimits, {
    handle: async ({ user, body, request }) => {
      await db.transaction().execute(async (trx) => {
        const before = await writeLimits(trx, body)
        const changes = [
          ...changed('min_minutes', String(before.min_minutes), String(body.min_minutes)),
          ...changed('max_per_person', String(before.max_per_person), String(body.max_per_person)),
        ]
        const done = { did: 'schedule_limits.changed' as const, subject: 'schedules', changes }
        if (changes.length > 0) await auditBy(deps, { user, request })(trx, done)
      })
      return body
    },
  })
}
