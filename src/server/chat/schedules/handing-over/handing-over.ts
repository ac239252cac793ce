import * as contract from '#shared/chat/schedules/handing-over.ts'
import { auditBy, changed } from '../../../identity/audit/audit.ts'
import { findAllowed } from '../../../platform/access/access.ts'
import { type Server, serve } from '../../../platform/http/serve.ts'
import { answerRequest } from '../../../runs/input-requests/input-requests.ts'
import type { Deps } from '../../../tools/deps.ts'
import { stopQuietly } from '../running/run-schedules.ts'
import { assertColleague } from '../save-schedule.ts'
import {
  declineOffer,
  findQuestion,
  listColleagues,
  listQuestions,
  offer,
  takeOver,
} from './handing-over-store.ts'

/** Serves what a schedule hands to colleagues: itself, or a question of its run. */
export function serveHandingOver(server: Server, deps: Deps): void {
  const { db } = deps
  serve(server, contract.offerSchedule, {
    handle: async ({ user, params: { scheduleId }, body: { user_id } }) => {
      if (user_id) await assertColleague(deps, user, user_id)
      await offer(db, scheduleId, user_id)
      return { message: user_id ? 'The schedule was offered.' : 'The offer was taken back.' }
    },
  })
  serve(server, contract.answerOffer, {
    handle: async ({ user, params: { offeredScheduleId: id }, body: { accept }, request }) => {
      if (!accept) {
        await declineOffer(db, id, user.id)
        return { message: 'The offer was declined.' }
      }
      const runs = await db.transaction().execute(async (trx) => {
        const { name, owner, runs } = await takeOver(trx, id, user.id)
        const changes = changed('owner', owner, user.username)
        const done = { did: 'schedule.handed_over' as const, subject: name, subjectId: id, changes }
        await auditBy(deps, { user, request })(trx, done)
        return runs
      })
      for (const run of runs) await stopQuietly(deps, run)
      return { message: 'The schedule is yours. It is paused.' }
    },
  })
  serve(server, contract.findColleagues, {
    handle: async ({ user, query }) => ({ items: await listColleagues(db, user.id, query) }),
  })
  serve(server, contract.listDeputyQuestions, {
    handle: async ({ user, query }) => ({
      items: (await listQuestions(db, user, query.limit)).map(({ asked_at, skip_at, ...rest }) => ({
        ...rest,
        asked_at: asked_at.toISOString(),
        skip_at: skip_at?.toISOString() ?? null,
      })),
    }),
  })
  serve(server, contract.answerDeputyQuestion, {
    handle: async ({ user, params: { deputySlotId }, body }) => {
      await findAllowed(db, user, 'write deputy-question', deputySlotId)
      const request = await findQuestion(db, deputySlotId)
      await answerRequest(deps, user, request, { input: body.input, input_type: body.input_type })
      return { message: 'Your answer was sent.' }
    },
  })
}
