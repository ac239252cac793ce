import * as contract from '#shared/chat/schedules/schedules.ts'
import { AppError } from '#shared/platform/errors.ts'
import { auditBy } from '../../identity/audit/audit.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { serveAdministration } from './administration/schedule-administration.ts'
import { serveHandingOver } from './handing-over/handing-over.ts'
import { readLimits, readNow } from './limit-store.ts'
import { readMailAddress, registerMails } from './mails/mails.ts'
import { findRuleFault, nextRuns } from './rule/check-rule.ts'
import { endWithRun, registerRuns, requestRuns } from './running/run-schedules.ts'
import { createSchedule, duplicateSchedule, saveSchedule, switchSchedule } from './save-schedule.ts'
import { insertSlotNow, listSlots, readLastSlots, readSlot, toSlot } from './slot-store.ts'
import { listOffered, listSchedules, readSchedule, removeSchedule } from './store.ts'
import { sayRule } from './texts.ts'
import { toListed, toSchedule } from './to-schedule.ts'
import { serveTriggers } from './triggers/triggers.ts'

export {
  filesOf,
  findVerifiedAddress,
  type MailFiles,
  storeAttachments,
  subjectOf,
  textOf,
} from './mails/mails.ts'
export { runSchedules } from './running/run-schedules.ts'
export { isUsable, restoreSchedule } from './save-schedule.ts'
export { keepReadable } from './triggers/event-store.ts'
export { sayRule }

/** Serves schedules: prompts and reminders that run at the times of a rule, or on an event. */
export function serveSchedules(server: Server, deps: Deps): void {
  const { db } = deps
  registerRuns(deps)
  registerMails(deps)
  serve(server, contract.listSchedules, {
    handle: async ({ user, query: { page, limit } }) => {
      const { rows, total } = await listSchedules(db, user, { skip: (page - 1) * limit, limit })
      const last = await readLastSlots(
        db,
        user,
        rows.map(({ id }) => id),
      )
      const now = await readNow(db)
      const offered = page === 1 ? await listOffered(db, user) : []
      return {
        ...{ items: rows.map((row) => toListed(row, last.get(row.id), user.language, now)), total },
        offered: offered.map(({ id, name, by, ...rule }) => ({
          id,
          name,
          by,
          sentence: sayRule(rule, user.language),
        })),
      }
    },
  })
  serve(server, contract.previewSchedule, {
    handle: async ({ user, body }) => {
      const [now, { min_minutes }] = [await readNow(db), await readLimits(db)]
      const has_mailbox = deps.mailbox.address !== null
      const fault = findRuleFault({ ...body, now, min_minutes, has_mailbox })
      const runs = fault ? [] : nextRuns({ ...body, anchor_at: now }, now, contract.PREVIEW_RUNS)
      return {
        ...{ sentence: sayRule(body, user.language), fault, min_minutes },
        next_runs: runs.map((at) => at.toISOString()),
      }
    },
  })
  serveChanges(server, deps)
  serveSlots(server, deps)
  serveHandingOver(server, deps)
  serveTriggers(server, deps)
  serveAdministration(server, deps)
}

async function shown(deps: Deps, user: Caller, id: string): Promise<contract.Schedule> {
  const row = await readSchedule(deps.db, id)
  if (!row) throw new AppError('not_found', 'Schedule not found')
  return toSchedule(row, user.language, await readNow(deps.db), await readMailAddress(deps, row))
}

function serveChanges(server: Server, deps: Deps): void {
  const { db } = deps
  serve(server, contract.getSchedule, { handle: ({ user, params }) => shown(deps, user, params.scheduleId) })
  serve(server, contract.createSchedule, {
    handle: async ({ user, body, request }) =>
      shown(deps, user, await createSchedule(deps, user, body, auditBy(deps, { user, request }))),
  })
  serve(server, contract.updateSchedule, {
    handle: async ({ user, params: { scheduleId }, body, request }) => {
      await saveSchedule(deps, user, scheduleId, body, auditBy(deps, { user, request }))
      return shown(deps, user, scheduleId)
    },
  })
  serve(server, contract.switchSchedule, {
    handle: async ({ user, params: { scheduleId }, body, request }) => {
      await switchSchedule(deps, user, scheduleId, body.state, auditBy(deps, { user, request }))
      return shown(deps, user, scheduleId)
    },
  })
  serve(server, contract.duplicateSchedule, {
    handle: async ({ user, params, request }) =>
      shown(
        deps,
        user,
        await duplicateSchedule(deps, user, params.scheduleId, auditBy(deps, { user, request })),
      ),
  })
  serve(server, contract.deleteSchedule, {
    handle: async ({ user, params: { scheduleId }, request }) => {
      await db.transaction().execute(async (trx) => {
        const subject = await removeSchedule(trx, scheduleId)
        if (subject === null) return
        await auditBy(deps, { user, request })(trx, {
          ...{ did: 'schedule.removed', subject, subjectId: scheduleId },
        })
      })
      return { message: 'The schedule was deleted.' }
    },
  })
}

function serveSlots(server: Server, deps: Deps): void {
  const { db } = deps
  const find = async (user: Caller, scheduleId: string, slotId: string) => {
    const row = await readSlot(db, user, scheduleId, slotId)
    if (!row) throw new AppError('not_found', 'Run not found')
    return row
  }
  serve(server, contract.listSlots, {
    handle: async ({ user, params: { scheduleId }, query: { page, limit } }) => {
      const { rows, total } = await listSlots(db, user, { scheduleId, skip: (page - 1) * limit, limit })
      return { items: rows.map(toSlot), total }
    },
  })
  serve(server, contract.runSchedule, {
    handle: async ({ user, params: { scheduleId }, body }) => {
      const id = await insertSlotNow(db, scheduleId, body.client_id)
      await requestRuns(deps)
      return toSlot(await find(user, scheduleId, id))
    },
  })
  serve(server, contract.skipSlot, {
    handle: async ({ user, params: { scheduleId, slotId } }) => {
      const { state, run_id } = await find(user, scheduleId, slotId)
      const isActive = state === 'running' || state === 'asking'
      const ending = isActive ? ({ state: 'stopped' } as const) : ({ state: 'skipped' } as const)
      if (!(await endWithRun(deps, slotId, run_id, { ...ending, code: 'by_owner' })))
        throw new AppError('conflict', 'This run is over.')
      return toSlot(await find(user, scheduleId, slotId))
    },
  })
}
